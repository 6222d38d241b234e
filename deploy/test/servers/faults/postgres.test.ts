import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@cloudhal/shared/database';
import { CloudhalError } from '@cloudhal/shared/errors';
import { describe, expect, it } from 'vitest';
import { startPostgres } from '../postgres.ts';

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => 'done',
    (reason: unknown) => reason,
  );
  return error instanceof CloudhalError ? error.code : String(error);
}

describe('the database when its server', () => {
  it('crashes: what ran is unavailable, what was committed is there on its return (F-PG-1)', async () => {
    const server = await startPostgres({ fsync: true });
    const database = openDatabase({ url: server.url, name: 'test' });
    await database.query('CREATE TABLE kept (n int)');
    await database.transaction((tx) => tx.query('INSERT INTO kept VALUES (1)'));
    const running = [
      codeOf(database.query('SELECT pg_sleep(3)')),
      codeOf(database.transaction((tx) => tx.query('INSERT INTO kept SELECT 2 FROM pg_sleep(3)'))),
    ];
    await sleep(200);
    await server.kill('SIGQUIT');
    expect(await Promise.all(running)).toEqual(['storage_unavailable', 'storage_unavailable']);
    const again = await startPostgres({ folder: server.folder, port: server.port, fsync: true });
    expect(await database.query('SELECT n FROM kept')).toEqual([{ n: 1 }]);
    await database.close();
    await again.stop();
    await server.stop();
  });

  it('hangs: everything ends in bounded time as unavailable, and works once it wakes (F-PG-2)', async () => {
    const server = await startPostgres();
    const database = openDatabase({ url: server.url, name: 'test', statementTimeoutMs: 500 });
    const [row] = await database.query('SELECT pg_backend_pid() AS pid');
    process.kill(row?.pid, 'SIGSTOP');
    await server.kill('SIGSTOP');
    const attempts = Array.from({ length: 5 }, () => codeOf(database.query('SELECT 1')));
    const hung = sleep(15_000, ['hung'], { ref: false });
    expect(await Promise.race([Promise.all(attempts), hung])).toEqual(Array(5).fill('storage_unavailable'));
    await server.kill('SIGCONT');
    process.kill(row?.pid, 'SIGCONT');
    for (let i = 0; i < 100 && (await codeOf(database.query('SELECT 1'))) !== 'done'; i++) await sleep(50);
    expect(await codeOf(database.query('SELECT 1'))).toBe('done');
    await database.close();
    await server.stop();
  });
});
