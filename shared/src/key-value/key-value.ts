/** A token bucket: `burst` at once, refilled at `perMinute`. */
export type RateLimit = { burst: number; perMinute: number };

export type RateVerdict = {
  allowed: boolean;
  /** How many more calls would pass right now. */
  remaining: number;
  /** Milliseconds until one call would pass; 0 when allowed. */
  retryAfterMs: number;
};

/**
 * Small shared state with a lifetime: key rings, revocations, counters. Two adapters, one contract suite:
 * Redis in a deployment, a PostgreSQL table locally. Time is the server's, so replicas' clocks do not matter.
 * Every method rejects within its own short timeout when the server does not answer.
 */
export interface KeyValue {
  get(key: string): Promise<string | undefined>;
  getMany(keys: readonly string[]): Promise<(string | undefined)[]>;
  /** `ttlMs` absent: kept until deleted. */
  set(key: string, value: string, options?: { ttlMs?: number }): Promise<void>;
  /** Sets only where `key` holds `expected` (`undefined`: is absent); says whether it did. */
  compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    options?: { ttlMs?: number },
  ): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Takes `cost` (default 1) from the bucket `key`, in one atomic step (GCRA). */
  take(key: string, limit: RateLimit, cost?: number): Promise<RateVerdict>;
  close(): Promise<void>;
}
