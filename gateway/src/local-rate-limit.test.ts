import { describe, expect, it } from 'vitest';
import { createLocalRateLimit, shareOf } from './local-rate-limit.ts';

describe('the rate limit of one process', () => {
  const limit = { burst: 3, perMinute: 60 };

  it('lets the burst pass, then one call for each period', () => {
    let time = 0;
    const take = createLocalRateLimit({ now: () => time });
    expect([1, 2, 3, 4].map(() => take('a', limit).allowed)).toEqual([true, true, true, false]);
    expect(take('a', limit).retryAfterMs).toBe(1000);
    time = 1000;
    expect([1, 2].map(() => take('a', limit).allowed)).toEqual([true, false]);
    time = 600_000;
    expect([1, 2, 3, 4].map(() => take('a', limit).allowed)).toEqual([true, true, true, false]);
  });

  it('keeps buckets apart', () => {
    const take = createLocalRateLimit({ now: () => 0 });
    for (let i = 0; i < 3; i++) take('a', limit);
    expect(take('a', limit).allowed).toBe(false);
    expect(take('b', limit).allowed).toBe(true);
  });

  it('does not grow without bound', () => {
    const take = createLocalRateLimit({ now: () => 0, max: 2 });
    for (const key of ['a', 'a', 'a', 'b', 'c']) take(key, limit);
    expect(take('a', limit).allowed).toBe(true);
  });
});

describe("a replica's part of a limit", () => {
  it('adds up to the limit and is never nothing', () => {
    expect(shareOf({ burst: 20, perMinute: 60 }, 4)).toEqual({ burst: 5, perMinute: 15 });
    expect(shareOf({ burst: 2, perMinute: 60 }, 10)).toEqual({ burst: 1, perMinute: 6 });
  });
});
