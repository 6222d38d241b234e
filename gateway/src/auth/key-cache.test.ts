import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createKeyCache } from './key-cache.ts';
import type { KeyRecord } from './key-records.ts';

function counting(maxAgeMs: number) {
  const loads: string[] = [];
  const answers = { fail: false };
  const cache = createKeyCache(
    async (keyId) => {
      const generation = loads.push(keyId);
      await sleep(5);
      if (answers.fail) throw new Error('store away');
      return { id: keyId, generation } as KeyRecord;
    },
    { maxAgeMs },
  );
  return { cache, loads, answers };
}

describe('the cache of keys', () => {
  it('looks a key up once for all who ask at the same time', async () => {
    const { cache, loads } = counting(60_000);
    const records = await Promise.all(Array.from({ length: 50 }, () => cache.get('a')));
    expect(new Set(records).size).toBe(1);
    await cache.get('a');
    expect(loads).toEqual(['a']);
  });

  it('looks again once a record is too old, without being told', async () => {
    const { cache } = counting(20);
    expect((await cache.get('a'))?.generation).toBe(1);
    await sleep(40);
    expect((await cache.get('a'))?.generation).toBe(2);
  });

  it('looks again at once when it is told of a change, also while an older look-up is under way', async () => {
    const { cache } = counting(60_000);
    const before = cache.get('a');
    cache.forget('a');
    expect((await cache.get('a'))?.generation).toBe(2);
    expect((await before)?.generation).toBe(1);
    expect((await cache.get('a'))?.generation).toBe(2);
  });

  it('does not remember that the store was away', async () => {
    const { cache, answers } = counting(60_000);
    answers.fail = true;
    await expect(cache.get('a')).rejects.toThrow('store away');
    answers.fail = false;
    expect((await cache.get('a'))?.id).toBe('a');
  });
});
