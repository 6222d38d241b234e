import { setTimeout as sleep } from 'node:timers/promises';
import { CloudhalError } from '@cloudhal/shared/errors';
import { connectRedisKeyValue } from '@cloudhal/shared/key-value/redis-key-value';
import { createLog } from '@cloudhal/shared/log';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { startRedis } from '../redis.ts';

const log = createLog('test', { level: 'silent' });
const limit = { burst: 5, perMinute: 60 };

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => 'done',
    (reason: unknown) => reason,
  );
  return error instanceof CloudhalError ? error.code : String(error);
}

describe('the key-value store when Redis', () => {
  it('is killed: calls fail at once, and work again on its return (F-RE-1)', async () => {
    const server = await startRedis();
    const keyValue = await connectRedisKeyValue({ url: server.url, log });
    expect(await codeOf(keyValue.take('k', limit))).toBe('done');
    await server.kill('SIGKILL');
    expect(await codeOf(keyValue.take('k', limit))).toBe('storage_unavailable');
    const again = await startRedis({ folder: server.folder, port: server.port });
    for (let i = 0; i < 100 && (await codeOf(keyValue.take('k', limit))) !== 'done'; i++) await sleep(50);
    expect(await codeOf(keyValue.get('k'))).toBe('done');
    await keyValue.close();
    await again.stop();
    await server.stop();
  });

  it('hangs: calls end in bounded time, and what they were is not done later (F-RE-2)', async () => {
    const server = await startRedis();
    const keyValue = await connectRedisKeyValue({ url: server.url, log });
    await server.kill('SIGSTOP');
    const attempts = Promise.all([keyValue.take('k', limit), keyValue.get('k'), keyValue.set('k', 'x')].map(codeOf));
    const hung = sleep(10_000, ['hung'], { ref: false });
    expect(await Promise.race([attempts, hung])).toEqual(Array(3).fill('storage_unavailable'));
    await server.kill('SIGCONT');
    for (let i = 0; i < 100 && (await codeOf(keyValue.get('k'))) !== 'done'; i++) await sleep(50);
    expect((await keyValue.take('k', limit)).allowed).toBe(true);
    await keyValue.close();
    await server.stop();
  });

  it('is full: a refusal that callers can live with (F-RE-6)', async () => {
    const server = await startRedis();
    const keyValue = await connectRedisKeyValue({ url: server.url, log });
    const admin = new Redis(server.url);
    await admin.config('SET', 'maxmemory', '1');
    expect(await codeOf(keyValue.take('k', limit))).toBe('storage_unavailable');
    expect(await codeOf(keyValue.set('k', 'x'))).toBe('storage_unavailable');
    expect(await codeOf(keyValue.get('k'))).toBe('done');
    await admin.quit();
    await keyValue.close();
    await server.stop();
  });
});
