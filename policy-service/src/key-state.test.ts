import { randomUUID } from 'node:crypto';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { connectRedisKeyValue } from '@cloudhal/shared/key-value/redis-key-value';
import { createLog } from '@cloudhal/shared/log';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyStates } from './key-state.ts';
import { anAgent, aPerson } from './testing/facts.ts';

const log = createLog('policy', { level: 'silent' });
let store: TestDatabase;
const stores = new Map<string, KeyValue>();
beforeAll(async () => {
  store = await testDatabase();
  stores.set('PostgreSQL', await createPostgresKeyValue(store.database));
  const url = process.env.CLOUDHAL_TEST_REDIS_URL ?? '';
  stores.set('Redis', await connectRedisKeyValue({ url, prefix: `${randomUUID()}:`, log }));
});
afterAll(async () => {
  for (const keyValue of stores.values()) await keyValue.close();
  await store.drop();
});

describe.each(['PostgreSQL', 'Redis'])('the state of a key in %s', (name) => {
  const states = () => keyStates(stores.get(name) as KeyValue, log);
  const aKey = () => ({ ...anAgent, keyId: randomUUID(), keyGeneration: 3 });

  it('is that nothing is known of it', async () => {
    expect(await states().read(aKey())).toEqual({ revoked: false, outdated: false });
  });

  it('is revoked, or outdated by a newer generation', async () => {
    const key = aKey();
    const keyValue = stores.get(name) as KeyValue;
    await keyValue.set(`key-generation:${key.keyId}`, '3');
    expect(await states().read(key)).toMatchObject({ outdated: false });
    await keyValue.set(`key-generation:${key.keyId}`, '4');
    expect(await states().read(key)).toMatchObject({ outdated: true });
    await keyValue.set(`revoked:${key.keyId}`, '1');
    expect(await states().read(key)).toMatchObject({ revoked: true });
    expect(await states().isRevoked(key.keyId)).toBe(true);
  });

  it('is never one of a person', async () => {
    expect(await states().read(aPerson)).toEqual({ revoked: false, outdated: false });
  });
});
