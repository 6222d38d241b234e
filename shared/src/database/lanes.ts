import pg from 'pg';
import { gatherWrites } from './gather-writes.ts';

/** A connection that carries many statements at once, answered in the order they were sent. */
type Lane = { client: pg.Client | undefined; opening: Promise<pg.Client> | undefined; pending: number };

/**
 * A few pipelined connections for short, hot reads. Compared with one connection for each statement in flight this
 * halves the system calls; the price is that a statement waits for those before it, so nothing slow belongs here.
 */
export class Lanes {
  readonly #config: pg.ClientConfig;
  readonly #lanes: Lane[];
  #closed = false;

  constructor(config: pg.ClientConfig, count: number) {
    this.#config = { ...config, pipeline: true };
    this.#lanes = Array.from({ length: count }, () => ({ client: undefined, opening: undefined, pending: 0 }));
  }

  get pending(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.pending, 0);
  }

  async query(config: pg.QueryConfig<unknown[]>): Promise<pg.QueryResult> {
    const lane = this.#lanes.reduce((a, b) => (b.pending < a.pending ? b : a));
    lane.pending++;
    try {
      const client = lane.client ?? (await this.#open(lane));
      gatherWrites(client);
      return await client.query(config);
    } finally {
      lane.pending--;
    }
  }

  #open(lane: Lane): Promise<pg.Client> {
    if (this.#closed) return Promise.reject(new Error('The connection is terminated.'));
    lane.opening ??= this.#connect(lane).finally(() => {
      lane.opening = undefined;
    });
    return lane.opening;
  }

  async #connect(lane: Lane): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    const forget = () => {
      if (lane.client === client) lane.client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    await client.connect();
    lane.client = client;
    return client;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(
      this.#lanes.map(async (lane) => (lane.client ?? (await lane.opening?.catch(() => undefined)))?.end()),
    );
  }
}
