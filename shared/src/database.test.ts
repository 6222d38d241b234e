import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CommitUnknownError, type Database, isUniqueViolation, openDatabase, type Queryable } from './database.ts';
import { CloudhalError } from './errors.ts';
import { startTcpProxy, type TcpProxy } from './testing/tcp-proxy.ts';
import { type TestDatabase, testDatabase } from './testing/test-database.ts';

let db: TestDatabase;
let proxy: TcpProxy;
const opened: Database[] = [];

beforeAll(async () => {
  db = await testDatabase();
  proxy = await startTcpProxy(db.url);
  await db.database.query('CREATE TABLE thing (id int PRIMARY KEY, n int NOT NULL DEFAULT 0 CHECK (n < 1000))');
});
afterEach(async () => {
  proxy.mode = 'pass';
  proxy.delayMs = 0;
  proxy.rewrite = undefined;
  proxy.cut();
  await Promise.all(opened.splice(0).map((database) => database.close()));
  await db.database.query('TRUNCATE thing');
});
afterAll(async () => {
  await proxy.close();
  await db.drop();
});

/** A database of its own behind the bad network. */
function viaProxy(options: { max?: number; statementTimeoutMs?: number } = {}): Database {
  const database = openDatabase({ url: proxy.url, name: 'via-proxy', statementTimeoutMs: 500, ...options });
  opened.push(database);
  return database;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  return error instanceof CloudhalError ? error.code : String(error);
}

describe('statements', () => {
  it('give rows whose types are those of JavaScript', async () => {
    const [row] = await db.database.query(
      `SELECT 5::bigint AS big, DATE '2026-02-03' AS day, '{"a":[1]}'::jsonb AS doc, $1::text AS sent`,
      ['x'],
    );
    expect(row).toEqual({ big: 5, day: '2026-02-03', doc: { a: [1] }, sent: 'x' });
  });

  it('under a name are many at once on few connections, each with its own rows', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => db.database.query('SELECT $1::int AS i', [i], { name: 'pick' })),
    );
    expect(answers.map(([row]) => row?.i)).toEqual(Array.from({ length: 200 }, (_, i) => i));
    const [count] = await db.database.query(
      `SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'test' AND datname = current_database()`,
    );
    expect(count?.n).toBeLessThan(10);
  });

  it('that fail do not disturb those sent along with them', async () => {
    const results = await Promise.allSettled(
      [2, 0, 1].map((i) => db.database.query('SELECT 10 / $1::int AS q', [i], { name: 'divide' })),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('that violate a constraint say which', async () => {
    await db.database.query('INSERT INTO thing (id) VALUES (1)');
    const error = await db.database.query('INSERT INTO thing (id) VALUES (1)').catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'thing_pkey')).toBe(true);
    expect(isUniqueViolation(error, 'other')).toBe(false);
    expect(isUniqueViolation(new Error('x'))).toBe(false);
  });

  it("with text that PostgreSQL cannot hold are the sender's mistake", async () => {
    expect(await codeOf(db.database.query('SELECT $1::text', ['a\0b']))).toBe('invalid_unicode');
    expect(await codeOf(db.database.query('SELECT $1::jsonb', ['"\\u0000"']))).toBe('invalid_unicode');
    expect(await codeOf(db.database.query('SELECT $1::jsonb', ['"\\ud800x"']))).toBe('invalid_unicode');
  });

  it('may be given more time than usual', async () => {
    const database = viaProxy();
    await database.transaction(async (tx) => {
      await tx.query('SET LOCAL statement_timeout = 5000');
      await tx.query('SELECT pg_sleep(1.2)', [], { timeoutMs: 5_000 });
    });
  });
});

describe('transactions', () => {
  it('are rolled back when the work throws, and their connection is used again', async () => {
    const database = viaProxy({ max: 1 });
    const broken = database.transaction(async (tx) => {
      await tx.query('INSERT INTO thing (id) VALUES (1)');
      throw new Error('changed my mind');
    });
    await expect(broken).rejects.toThrow('changed my mind');
    expect(await database.query('SELECT * FROM thing')).toEqual([]);
  });

  it('whose work hides a failed statement are not taken for committed', async () => {
    const hidden = db.database.transaction(async (tx) => {
      await tx.query('INSERT INTO thing (id) VALUES (1)');
      await tx.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(hidden).rejects.toThrow(/rolled back/);
    expect(await db.database.query('SELECT * FROM thing')).toEqual([]);
  });

  it('send statements together that do not wait for each other', async () => {
    const database = viaProxy();
    await database.query('SELECT 1');
    proxy.delayMs = 40;
    const started = performance.now();
    await database.transaction(async (tx) => {
      await Promise.all(Array.from({ length: 20 }, (_, id) => tx.query('INSERT INTO thing (id) VALUES ($1)', [id])));
    });
    const together = performance.now() - started;
    const again = performance.now();
    await database.transaction(async (tx) => {
      for (let id = 20; id < 40; id++) await tx.query('INSERT INTO thing (id) VALUES ($1)', [id]);
    });
    expect(together * 3).toBeLessThan(performance.now() - again);
    expect(await db.database.query('SELECT count(*) AS n FROM thing')).toEqual([{ n: 40 }]);
  });

  it('take a whole batch in one round trip, or nothing of it', async () => {
    const insert = (id: number) => ({ text: 'INSERT INTO thing (id) VALUES ($1) RETURNING id', values: [id] });
    expect(await db.database.atomic([insert(1), insert(2)])).toEqual([[{ id: 1 }], [{ id: 2 }]]);
    const error = await db.database.atomic([insert(3), insert(2), insert(4)]).catch((reason: unknown) => reason);
    expect(isUniqueViolation(error, 'thing_pkey')).toBe(true);
    expect(await db.database.query('SELECT count(*) AS n FROM thing')).toEqual([{ n: 2 }]);
    const database = viaProxy({ max: 1 });
    proxy.delayMs = 40;
    await database.atomic([{ text: 'SELECT 1' }]);
    const started = performance.now();
    await database.atomic(Array.from({ length: 20 }, (_, i) => insert(10 + i)));
    const together = performance.now() - started;
    const again = performance.now();
    await database.transaction(async (tx) => {
      for (let id = 30; id < 50; id++) await tx.query('INSERT INTO thing (id) VALUES ($1)', [id]);
    });
    expect(together * 3).toBeLessThan(performance.now() - again);
    proxy.delayMs = 0;
    expect(await database.query('SELECT count(*) AS n FROM thing')).toEqual([{ n: 42 }]);
  });

  it('report a batch whose answers were lost as unknown, since the rows may be there', async () => {
    const database = viaProxy();
    await database.atomic([{ text: 'SELECT 1' }]);
    proxy.mode = 'blackhole-down';
    const error = await database
      .atomic([{ text: 'INSERT INTO thing (id) VALUES (8)' }])
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CommitUnknownError);
    expect(await db.database.query('SELECT id FROM thing')).toEqual([{ id: 8 }]);
  });

  it('are over for work that was given up and goes on: the connection is somebody else’s then', async () => {
    const late: Queryable[] = [];
    const insert = (tx: Queryable, id: number) => tx.query('INSERT INTO thing (id) VALUES ($1)', [id]);
    await db.database.transaction(async (tx) => late.push(tx));
    await db.database.transaction((tx) => Promise.reject(late.push(tx))).catch(() => undefined);
    for (const [id, tx] of late.entries()) await expect(insert(tx, id)).rejects.toThrow('over');
    expect(await db.database.query('SELECT id FROM thing')).toEqual([]);
  });

  it('report a batch whose BEGIN failed as unknown: what came behind it was committed by itself', async () => {
    const database = viaProxy();
    await database.atomic([{ text: 'SELECT 1' }]);
    proxy.rewrite = (bytes) => Buffer.from(bytes.toString('latin1').replace('BEGIN', 'BEGUN'), 'latin1');
    const error = await database
      .atomic([{ text: 'INSERT INTO thing (id) VALUES (8)' }])
      .catch((reason: unknown) => reason);
    expect(await db.database.query('SELECT id FROM thing')).toEqual([{ id: 8 }]);
    expect(error).toBeInstanceOf(CommitUnknownError);
  });

  it('limit a batch from within: no limit of the session can cancel its BEGIN and leave the rest outside', async () => {
    const database = viaProxy({ statementTimeoutMs: 300 });
    const limit = { text: `SELECT setting, reset_val FROM pg_settings WHERE name = 'statement_timeout'` };
    expect(await database.atomic([limit])).toEqual([[{ setting: '300', reset_val: '0' }]]);
    const slow = database.atomic([{ text: 'INSERT INTO thing (id) VALUES (9)' }, { text: 'SELECT pg_sleep(2)' }]);
    await expect(slow).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await db.database.query('SELECT id FROM thing')).toEqual([]);
  });

  it('report a lost answer to COMMIT as unknown, since the rows may be there (F-PG-4)', async () => {
    const database = viaProxy();
    const lost = database.transaction(async (tx) => {
      await tx.query('INSERT INTO thing (id) VALUES (7)');
      proxy.mode = 'blackhole-down';
    });
    const error = await lost.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CommitUnknownError);
    expect((error as CommitUnknownError).body).toMatchObject({ code: 'outcome_unknown', applied: 'unknown' });
    expect(await db.database.query('SELECT id FROM thing')).toEqual([{ id: 7 }]);
  });

  it('that fail only at COMMIT are known to have failed', async () => {
    await db.database.query('CREATE TABLE late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    const late = db.database.transaction(async (tx) => {
      await tx.query('INSERT INTO late VALUES (1), (1)');
    });
    const error = await late.catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect(await db.database.query('SELECT * FROM late')).toEqual([]);
  });
});

describe('a store in trouble', () => {
  it('that is not there is unavailable', async () => {
    const database = openDatabase({ url: 'postgres://x@127.0.0.1:1/x', name: 'nowhere' });
    expect(await codeOf(database.query('SELECT 1'))).toBe('storage_unavailable');
    expect(await codeOf(database.query('SELECT 1', [], { name: 'one' }))).toBe('storage_unavailable');
    expect(await codeOf(database.transaction(async () => undefined))).toBe('storage_unavailable');
    expect(await codeOf(database.listen('x', () => undefined))).toBe('storage_unavailable');
    await database.close();
  });

  it('behind a blackholed network is unavailable in bounded time, and usable again after it (F-PG-4)', async () => {
    const database = viaProxy();
    await Promise.all([database.query('SELECT 1'), database.query('SELECT 1', [], { name: 'one' })]);
    proxy.mode = 'blackhole';
    const attempts = Promise.all([
      codeOf(database.query('SELECT 1')),
      codeOf(database.query('SELECT 1', [], { name: 'one' })),
      codeOf(database.transaction((tx) => tx.query('SELECT 1'))),
    ]);
    const timeout = sleep(10_000, 'hung', { ref: false });
    expect(await Promise.race([attempts, timeout])).toEqual(Array(3).fill('storage_unavailable'));
    proxy.mode = 'pass';
    proxy.cut();
    for (let i = 0; i < 50 && (await codeOf(database.query('SELECT 1'))) !== 'Error: it succeeded'; i++)
      await sleep(50);
    expect(await database.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect(await database.query('SELECT 1 AS n', [], { name: 'n' })).toEqual([{ n: 1 }]);
  });

  it('that cuts connections in use is unavailable for those who used them only', async () => {
    const database = viaProxy({ statementTimeoutMs: 4_000 });
    const cut = [
      codeOf(database.query('SELECT pg_sleep(3)')),
      codeOf(database.transaction((tx) => tx.query('SELECT pg_sleep(3)'))),
      codeOf(database.query('SELECT pg_sleep(3)', [], { name: 'sleep' })),
    ];
    await sleep(300);
    proxy.cut();
    expect(await Promise.all(cut)).toEqual(Array(3).fill('storage_unavailable'));
    expect(await database.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('whose administrator ends a connection that nobody uses goes on with another', async () => {
    const database = viaProxy();
    await database.query('SELECT 1');
    await db.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'via-proxy'`,
    );
    await sleep(100);
    expect(await database.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('that takes too long for a statement is unavailable', async () => {
    const database = viaProxy();
    expect(await codeOf(database.query('SELECT pg_sleep(2)'))).toBe('storage_unavailable');
  });

  it('with too many waiting is overloaded, and those who wait are served (F-PG-3)', async () => {
    const database = openDatabase({ url: db.url, name: 'small', max: 1 });
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () =>
        database.query('SELECT pg_sleep(0.001)').then(
          () => 'served',
          (error: CloudhalError) => error.code,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'served').length).toBeGreaterThanOrEqual(20);
    expect(outcomes.filter((outcome) => outcome === 'overloaded').length).toBeGreaterThanOrEqual(30);
    await database.close();
  });

  it.each([
    ['53100', 'storage_full'],
    ['53200', 'storage_unavailable'],
    ['57P01', 'storage_unavailable'],
    ['57014', 'storage_unavailable'],
    ['25006', 'storage_unavailable'],
    ['08006', 'storage_unavailable'],
    ['22021', 'invalid_unicode'],
    ['40001', 'error: told so'],
    ['23514', 'error: told so'],
  ])('that says %s is %s', async (sqlstate, code) => {
    const raise = `DO $$ BEGIN RAISE EXCEPTION 'told so' USING ERRCODE = '${sqlstate}'; END $$`;
    expect(await codeOf(db.database.query(raise))).toBe(code);
    expect(await codeOf(db.database.transaction((tx) => tx.query(raise)))).toBe(code);
  });

  it('frees what a stopped process held (F-TW-2)', async () => {
    const [row] = await db.database.query(`SELECT current_setting('idle_in_transaction_session_timeout') AS t`);
    expect(row?.t).toBe('5s');
  });
});

describe('notifications', () => {
  it('arrive, also after the connection was cut, and stop when told', async () => {
    const database = viaProxy();
    const heard: string[] = [];
    const stop = await database.listen('news', (payload) => heard.push(payload));
    await db.database.notify('news', 'one');
    for (let i = 0; i < 200 && heard.length < 1; i++) await sleep(10);
    proxy.cut();
    for (let i = 0; i < 200 && heard.length < 2; i++) {
      await db.database.notify('news', 'two');
      await sleep(50);
    }
    expect(heard.slice(0, 2)).toEqual(['one', 'two']);
    await stop();
    heard.length = 0;
    await db.database.notify('news', 'three');
    await sleep(100);
    expect(heard).toEqual([]);
  });
});
