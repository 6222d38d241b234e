import type { RateLimit, RateVerdict } from '@cloudhal/shared/key-value/key-value';
import { LRUCache } from 'lru-cache';

/**
 * The same bucket as the KeyValue's (GCRA), kept in this process: for the time that the shared one is away. Bounded; when
 * it is full the buckets unused for longest start anew.
 */
export function createLocalRateLimit({ max = 10_000, now = () => performance.now() } = {}) {
  const arrivals = new LRUCache<string, number>({ max });
  return (key: string, { burst, perMinute }: RateLimit): RateVerdict => {
    const period = 60_000 / perMinute;
    const present = now();
    const earliest = Math.max(arrivals.get(key) ?? present, present);
    const next = earliest + period;
    const latest = present + period * burst;
    if (next > latest) return { allowed: false, remaining: 0, retryAfterMs: Math.ceil(next - latest) };
    arrivals.set(key, next);
    return { allowed: true, remaining: Math.floor((latest - next) / period), retryAfterMs: 0 };
  };
}

/** A replica's part of a shared limit: at least one call, so that nobody is shut out by rounding. */
export function shareOf({ burst, perMinute }: RateLimit, replicas: number): RateLimit {
  return { burst: Math.max(1, Math.floor(burst / replicas)), perMinute: perMinute / replicas };
}
