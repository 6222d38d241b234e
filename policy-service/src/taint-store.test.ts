import { houseFile } from '@cloudhal/shared/house-file';
import { migrate } from '@cloudhal/shared/migrate';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { taint, taintedUntil } from './taint-store.ts';
import { aDeveloper, anAgent, aPerson } from './testing/facts.ts';

let store: TestDatabase;
beforeAll(async () => {
  store = await testDatabase();
  await migrate(store.database, 'policy', houseFile('policy-service/migrations'));
});
afterAll(() => store.drop());

let count = 0;
const aKey = () => ({ ...anAgent, keyId: `key-${count++}` });
const minutesLeft = async (key: Parameters<typeof taint>[1]) => {
  const until = await taintedUntil(store.database, key);
  return until === undefined ? 0 : Math.round((until.getTime() - Date.now()) / 60_000);
};

describe('a taint', () => {
  it('lasts as long as the longest of all that came at once, and is never shortened', async () => {
    const key = aKey();
    await Promise.all([5, 30, 1, 10].map((minutes) => taint(store.database, key, minutes)));
    await taint(store.database, key, 2);
    expect(await minutesLeft(key)).toBe(30);
  });

  it('is that of one key, or of the developer at the machine, and never of a person', async () => {
    const key = aKey();
    await taint(store.database, key, 30);
    await taint(store.database, aDeveloper, 30);
    await taint(store.database, aPerson, 30);
    expect(await Promise.all([key, aKey(), aDeveloper, aPerson].map(minutesLeft))).toEqual([30, 0, 30, 0]);
  });

  it('is none where the site turned it off, and over when its time is', async () => {
    const key = aKey();
    await taint(store.database, key, 0);
    expect(await minutesLeft(key)).toBe(0);
    await taint(store.database, key, 30);
    await store.database.query(`UPDATE policy.taint SET until = now() - interval '1 second' WHERE key = $1`, [
      key.keyId,
    ]);
    expect(await minutesLeft(key)).toBe(0);
  });
});
