import { Redis } from 'ioredis';
import { fail } from '../errors.ts';
import type { Log } from '../log.ts';
import type { KeyValue, RateLimit, RateVerdict } from './key-value.ts';

export type RedisOptions = {
  url: string;
  /** Before every key; default `cloudhal:`. */
  prefix?: string;
  log: Log;
};

/** Small shared state in Redis. Every call is answered or rejected within a quarter of a second. */
export async function connectRedisKeyValue({ url, prefix = 'cloudhal:', log }: RedisOptions): Promise<KeyValue> {
  const redis = new Redis(url, {
    // The defaults wait for ever for a server that hangs or is away.
    commandTimeout: 250,
    connectTimeout: 1_000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    // What its caller was told to have failed must not be done after all.
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
    lazyConnect: true,
    // Commands of one turn of the event loop leave in one write: on a busy machine the system calls are most of the cost.
    enableAutoPipelining: true,
    keyPrefix: prefix,
  });
  let isDown = false;
  redis.on('error', (error) => {
    if (!isDown) log.warn({ err: error }, 'Redis cannot be reached');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.info('Redis is back');
    isDown = false;
  });
  redis.defineCommand('take', { numberOfKeys: 1, lua: takeScript });
  redis.defineCommand('compareAndSet', { numberOfKeys: 1, lua: compareAndSetScript });
  // A server that is away now may be there later: whoever uses this lives without it for a while.
  await redis.connect().catch(() => undefined);
  return new RedisKeyValue(redis as RedisWithScripts);
}

/**
 * The generic cell rate algorithm on the server's clock, in microseconds. A bucket whose time lies further ahead than the
 * burst allows (the clock jumped back) counts as empty from now on, not as closed for ever.
 */
const takeScript = `
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local burst, period, cost = tonumber(ARGV[1]), 60000000 / tonumber(ARGV[2]), tonumber(ARGV[3])
local limit = now + burst * period
local held = tonumber(redis.call('GET', KEYS[1]) or now)
local tat = math.min(math.max(held, now), limit)
local next = tat + cost * period
local function keep(time)
  redis.call('SET', KEYS[1], string.format('%.0f', time), 'PX', math.max(1, math.ceil((time - now) / 1000)))
end
if next > limit then
  if held > limit then keep(limit) end
  return {0, math.floor((limit - tat) / period), math.ceil((next - limit) / 1000)}
end
keep(next)
return {1, math.floor((limit - next) / period), 0}
`;

const compareAndSetScript = `
local held = redis.call('GET', KEYS[1])
if ARGV[1] == '0' then if held then return 0 end
elseif held ~= ARGV[2] then return 0 end
if ARGV[4] == '' then redis.call('SET', KEYS[1], ARGV[3]) else redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4]) end
return 1
`;

type RedisWithScripts = Redis & {
  take(key: string, burst: number, perMinute: number, cost: number): Promise<[number, number, number]>;
  compareAndSet(key: string, present: string, expected: string, value: string, ttlMs: string): Promise<number>;
};

class RedisKeyValue implements KeyValue {
  readonly #redis: RedisWithScripts;

  constructor(redis: RedisWithScripts) {
    this.#redis = redis;
  }

  async get(key: string): Promise<string | undefined> {
    return (await guard(this.#redis.get(key))) ?? undefined;
  }

  async getMany(keys: readonly string[]): Promise<(string | undefined)[]> {
    if (keys.length === 0) return [];
    return (await guard(this.#redis.mget(...keys))).map((value) => value ?? undefined);
  }

  async set(key: string, value: string, options: { ttlMs?: number } = {}): Promise<void> {
    const { ttlMs } = options;
    await guard(ttlMs === undefined ? this.#redis.set(key, value) : this.#redis.set(key, value, 'PX', wholeMs(ttlMs)));
  }

  async compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    options: { ttlMs?: number } = {},
  ): Promise<boolean> {
    const ttl = options.ttlMs === undefined ? '' : String(wholeMs(options.ttlMs));
    const present = expected === undefined ? '0' : '1';
    return (await guard(this.#redis.compareAndSet(key, present, expected ?? '', value, ttl))) === 1;
  }

  async delete(key: string): Promise<void> {
    await guard(this.#redis.del(key));
  }

  async take(key: string, limit: RateLimit, cost = 1): Promise<RateVerdict> {
    const [allowed, remaining, retryAfterMs] = await guard(
      this.#redis.take(`rate:${key}`, limit.burst, limit.perMinute, cost),
    );
    return { allowed: allowed === 1, remaining, retryAfterMs };
  }

  async close(): Promise<void> {
    await this.#redis.quit().catch(() => this.#redis.disconnect());
  }
}

function wholeMs(ms: number): number {
  return Math.max(1, Math.ceil(ms));
}

/** A server that is away, hangs, is full or holds something else under the key is one thing to callers: not to be had now. */
async function guard<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch {
    throw fail('storage_unavailable');
  }
}
