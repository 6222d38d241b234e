import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pino from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { CloudhalError } from '../errors.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';
import type { KeyValue } from './key-value.ts';
import { describeKeyValue } from './key-value-contract.ts';
import { connectRedisKeyValue } from './redis-key-value.ts';

const url = process.env.CLOUDHAL_TEST_REDIS_URL ?? '';
const log = pino({ level: 'silent' });
const prefix = `test-${randomBytes(6).toString('hex')}:`;
const raw = new Redis(url);

async function removeAll(): Promise<void> {
  const keys = await raw.keys(`${prefix}*`);
  if (keys.length > 0) await raw.del(...keys);
}

afterAll(async () => {
  await removeAll();
  await raw.quit();
});

describeKeyValue('Redis', async () => ({
  one: await connectRedisKeyValue({ url, prefix, log }),
  two: await connectRedisKeyValue({ url, prefix, log }),
  end: removeAll,
}));

/** Each method once; the code of what it rejects with. */
async function codes(keyValue: KeyValue): Promise<string[]> {
  const attempts: Promise<unknown>[] = [
    keyValue.get('a'),
    keyValue.getMany(['a', 'b']),
    keyValue.set('a', 'x'),
    keyValue.compareAndSet('a', undefined, 'x'),
    keyValue.delete('a'),
    keyValue.take('a', { burst: 1, perMinute: 1 }),
  ];
  const results = await Promise.allSettled(attempts);
  return results.map((result) =>
    result.status === 'rejected' && result.reason instanceof CloudhalError ? result.reason.code : result.status,
  );
}

const unavailable = Array(6).fill('storage_unavailable');

describe('Redis in trouble', () => {
  it('that is not there at the start is unavailable, not waited for', async () => {
    const keyValue = await connectRedisKeyValue({ url: 'redis://127.0.0.1:1', log });
    expect(await codes(keyValue)).toEqual(unavailable);
    await keyValue.close();
  });

  it('that does not answer is unavailable in bounded time, and usable again after it (F-RE-2, F-RE-3)', async () => {
    const proxy = await startTcpProxy(url);
    const keyValue = await connectRedisKeyValue({ url: proxy.url, prefix, log });
    await keyValue.set('a', 'x');
    proxy.mode = 'blackhole';
    expect(await Promise.race([codes(keyValue), sleep(5_000, 'hung', { ref: false })])).toEqual(unavailable);
    proxy.mode = 'pass';
    proxy.cut();
    for (let i = 0; i < 100 && (await keyValue.get('a').catch(() => 'away')) !== 'x'; i++) await sleep(50);
    expect(await keyValue.get('a')).toBe('x');
    await keyValue.close();
    await proxy.close();
  });

  it('with something else under a key is a refusal, not a crash (F-RE-8)', async () => {
    const keyValue = await connectRedisKeyValue({ url, prefix, log });
    await raw.rpush(`${prefix}list`, 'x');
    await raw.rpush(`${prefix}rate:list`, 'x');
    await raw.set(`${prefix}rate:text`, 'not a number');
    await expect(keyValue.get('list')).rejects.toMatchObject({ code: 'storage_unavailable' });
    for (const key of ['list', 'text']) {
      await expect(keyValue.take(key, { burst: 1, perMinute: 1 })).rejects.toMatchObject({
        code: 'storage_unavailable',
      });
    }
    await keyValue.close();
  });

  it('whose clock jumped back does not close a bucket for ever (F-RE-7)', async () => {
    const keyValue = await connectRedisKeyValue({ url, prefix, log });
    await raw.set(`${prefix}rate:k`, String((Date.now() + 31_536_000_000) * 1000));
    const limit = { burst: 2, perMinute: 600 };
    const refused = await keyValue.take('k', limit);
    expect(refused.allowed).toBe(false);
    expect(refused.retryAfterMs).toBeLessThanOrEqual(100);
    await sleep(refused.retryAfterMs + 20);
    expect((await keyValue.take('k', limit)).allowed).toBe(true);
    await keyValue.close();
  });

  it('forgets full buckets by itself', async () => {
    const keyValue = await connectRedisKeyValue({ url, prefix, log });
    await keyValue.take('brief', { burst: 5, perMinute: 600 });
    const ttl = await raw.pttl(`${prefix}rate:brief`);
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(100);
    await keyValue.close();
  });
});
