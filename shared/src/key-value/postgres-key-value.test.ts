import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { type TestDatabase, testDatabase } from '../testing/test-database.ts';
import { describeKeyValue } from './key-value-contract.ts';
import { createPostgresKeyValue } from './postgres-key-value.ts';

describeKeyValue('PostgreSQL', async () => {
  const db = await testDatabase();
  const databases = [
    openDatabase({ url: db.urlAs('gateway'), name: 'one' }),
    openDatabase({ url: db.urlAs('policy'), name: 'two' }),
  ] as const;
  return {
    one: await createPostgresKeyValue(databases[0]),
    two: await createPostgresKeyValue(databases[1]),
    async end() {
      await Promise.all(databases.map((database) => database.close()));
      await db.drop();
    },
  };
});

describe('a bucket in PostgreSQL', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.drop());

  it('is not closed for ever when the clock jumped back (F-RE-7)', async () => {
    const keyValue = await createPostgresKeyValue(db.database);
    const limit = { burst: 2, perMinute: 600 };
    await db.database.query(`INSERT INTO shared.rate VALUES ('k', now() + interval '1 year')`);
    const refused = await keyValue.take('k', limit);
    expect(refused.allowed).toBe(false);
    expect(refused.retryAfterMs).toBeLessThanOrEqual(100);
    await sleep(refused.retryAfterMs + 20);
    expect((await keyValue.take('k', limit)).allowed).toBe(true);
    await keyValue.close();
  });
});
