import pg from 'pg';
import { isFatal, isServerError, mapDatabaseError } from './database/errors.ts';
import { gatherWrites } from './database/gather-writes.ts';
import { Lanes } from './database/lanes.ts';
import { Listener } from './database/listener.ts';
import { CloudhalError, fail } from './errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: a row's shape is the statement's to say
export type Row = Record<string, any>;

export type QueryOptions = {
  /** Prepares the statement under this name, once for each connection; for hot statements. */
  name?: string;
  /** Instead of the database's own limit. */
  timeoutMs?: number;
};

export interface Queryable {
  /** The rows. `bigint` columns are numbers, `date` columns text, `json` columns parsed. */
  query<R extends object = Row>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<R[]>;
}

/** One statement of a batch. */
export type Statement = { text: string; values?: readonly unknown[]; name?: string };

/**
 * PostgreSQL with explicit timeouts. A store that is away or too slow is `storage_unavailable`, a full one
 * `storage_full`, a queue of statements that is too long `overloaded`; what the server says of a statement is thrown as
 * `pg` has it.
 */
export interface Database extends Queryable {
  /**
   * READ COMMITTED; rolled back when `work` throws. Statements that `work` sends without waiting between them share a
   * round trip. An ambiguous COMMIT rejects with `CommitUnknownError`.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /**
   * All of the statements, or none, in one round trip: nothing is held while an answer travels. They judge by themselves
   * and fail where they must not be committed; the first that failed is thrown. An ambiguous COMMIT as in `transaction`.
   */
  atomic(statements: readonly Statement[]): Promise<Row[][]>;
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  /** At most 8,000 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  close(): Promise<void>;
}

/** The answer to a COMMIT was lost: read back what you wrote before you say what happened. */
export class CommitUnknownError extends CloudhalError {
  constructor(options?: ErrorOptions) {
    super(fail('outcome_unknown').body, options);
  }
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    isServerError(error) && error.code === '23505' && (constraint === undefined || error.constraint === constraint)
  );
}

export type DatabaseOptions = {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  /** Connections for transactions and statements without a name; default 10. */
  max?: number;
  /** Default 4,000. */
  statementTimeoutMs?: number;
};

export function openDatabase(options: DatabaseOptions): Database {
  return new PgDatabase(options);
}

/** Reads under a name go to the shared, pipelined connections; what takes locks or may be slow gets one of its own. */
const hotRead = /^\s*select\b(?!.*\bfor\s+(?:update|share|no\s+key|key)\b)/is;

class PgDatabase implements Database {
  readonly #pool: pg.Pool;
  /** For `atomic`: no limit of the session can cancel a BEGIN here and leave what follows outside of any transaction. */
  readonly #batches: pg.Pool;
  readonly #statementTimeoutMs: number;
  readonly #lanes: Lanes;
  readonly #listener: Listener;
  readonly #maxWaiting: number;
  #closing: Promise<void> | undefined;

  constructor({ url, name, max = 10, statementTimeoutMs = 4_000 }: DatabaseOptions) {
    const config: pg.ClientConfig = {
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: 1_000,
      query_timeout: statementTimeoutMs + 1_000,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 5_000,
      keepAlive: true,
      types: { getTypeParser },
    };
    this.#maxWaiting = max * 20;
    this.#pool = new pg.Pool({ ...config, pipeline: true, max, idleTimeoutMillis: 30_000 });
    const { statement_timeout: _, ...unlimited } = config;
    this.#batches = new pg.Pool({ ...unlimited, pipeline: true, max, idleTimeoutMillis: 30_000 });
    this.#statementTimeoutMs = statementTimeoutMs;
    // A connection that breaks while nobody uses it is replaced at the next checkout; without a listener it would end the process.
    for (const pool of [this.#pool, this.#batches]) {
      pool.on('error', () => undefined);
      pool.on('connect', (client) => client.on('error', () => undefined));
    }
    this.#lanes = new Lanes(config, 2);
    this.#listener = new Listener({ ...config, statement_timeout: 0 });
  }

  async query<R extends object = Row>(text: string, values: readonly unknown[] = [], options: QueryOptions = {}) {
    if (options.name !== undefined && hotRead.test(text)) return this.#hotQuery<R>(text, values, options);
    return this.#withClient(this.#pool, (client) => send<R>(client, text, values, options));
  }

  async #hotQuery<R extends object>(text: string, values: readonly unknown[], options: QueryOptions): Promise<R[]> {
    if (this.#lanes.pending >= this.#maxWaiting) throw fail('overloaded');
    try {
      return (await this.#lanes.query(toConfig(text, values, options))).rows as R[];
    } catch (error) {
      throw mapDatabaseError(error);
    }
  }

  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#withClient(this.#pool, async (client) => {
      // Waited for: a BEGIN that is cancelled (a server that was frozen cancels what overran) would leave the statements
      // behind it outside of any transaction, each committed for itself.
      await send(client, 'BEGIN');
      let over = false;
      let result: T;
      try {
        result = await work({
          // Work that was given up may go on; the connection is somebody else's by then.
          query: async (text, values, options) => {
            if (over) throw new Error('The transaction is over.');
            return send(client, text, values, options);
          },
        });
        over = true;
      } catch (error) {
        over = true;
        // Where even this fails the connection goes, and the server rolls back by itself.
        await send(client, 'ROLLBACK').catch(() => undefined);
        throw error;
      }
      await commit(client);
      return result;
    });
  }

  atomic(statements: readonly Statement[]): Promise<Row[][]> {
    return this.#withClient(this.#batches, async (client) => {
      const sent = [
        send(client, 'BEGIN'),
        send(client, `SET LOCAL statement_timeout = ${this.#statementTimeoutMs}`),
        ...statements.map(({ text, values, name }) => send(client, text, values, name === undefined ? {} : { name })),
      ];
      const committed = commit(client);
      committed.catch(() => undefined);
      const results = await Promise.allSettled(sent);
      const failed = results.find((result) => result.status === 'rejected');
      if (!failed) {
        await committed;
        return results.slice(2).map((result) => (result as PromiseFulfilledResult<Row[]>).value);
      }
      // The server answers every statement after one that failed, and the COMMIT then rolls back. Where it did not answer,
      // what it did is not known; nor where it is the BEGIN that failed, and each statement was committed for itself.
      const end = await committed.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failed === results[0]) throw new CommitUnknownError({ cause: failed.reason });
      throw end instanceof CommitUnknownError ? end : failed.reason;
    });
  }

  /** Checks a connection out; one that failed for reasons of its own, and not the statement's, is thrown away. */
  async #withClient<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#checkOut(pool);
    let broken = false;
    try {
      return await use(client);
    } catch (error) {
      const lost = error instanceof CloudhalError && error.code === 'storage_unavailable';
      broken = lost || client.getTransactionStatus() !== 'I';
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async #checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
    if (pool.waitingCount >= this.#maxWaiting) throw fail('overloaded');
    try {
      return await pool.connect();
    } catch (error) {
      throw mapDatabaseError(error);
    }
  }

  async listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    try {
      return await this.#listener.listen(channel, handler);
    } catch (error) {
      throw mapDatabaseError(error);
    }
  }

  async notify(channel: string, payload: string): Promise<void> {
    await this.query('SELECT pg_notify($1, $2)', [channel, payload], { name: 'notify' });
  }

  /** Waits for what is running, at most a few seconds. */
  close(): Promise<void> {
    this.#closing ??= atMost(
      6_000,
      Promise.allSettled([this.#pool.end(), this.#batches.end(), this.#lanes.close(), this.#listener.close()]),
    );
    return this.#closing;
  }
}

async function send<R extends object = Row>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
  options: QueryOptions = {},
): Promise<R[]> {
  try {
    gatherWrites(client);
    return (await client.query(toConfig(text, values, options))).rows as R[];
  } catch (error) {
    throw mapDatabaseError(error);
  }
}

async function commit(client: pg.ClientBase): Promise<void> {
  let command: string;
  try {
    command = (await client.query('COMMIT')).command;
  } catch (error) {
    if (!isServerError(error) || isFatal(error)) throw new CommitUnknownError({ cause: error });
    throw mapDatabaseError(error);
  }
  // PostgreSQL answers so when an earlier statement failed and the work went on regardless.
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements had failed.');
}

function toConfig(text: string, values: readonly unknown[], { name, timeoutMs }: QueryOptions) {
  return {
    text,
    values: values as unknown[],
    ...(name !== undefined && { name }),
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
  };
}

const int8 = 20;
const date = 1082;

function getTypeParser(oid: number, format?: string): (value: never) => unknown {
  if (format !== 'binary') {
    if (oid === int8) return Number;
    if (oid === date) return String;
  }
  return pg.types.getTypeParser(oid, format as 'text');
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
