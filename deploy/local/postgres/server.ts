import { execFile, spawn } from 'node:child_process';
import { type FileHandle, open, readFile, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fail } from '@cloudhal/shared/errors';
import { type DataFolder, dataArgument, serverEnvironment } from './data-folder.ts';
import { folderMark, isServing, type Postmaster, readPostmaster } from './lock.ts';

/** A server started here: `exited` is set once it is gone, with what it said last. */
export type StartedServer = { exited?: { reason: string } };

/** Starts a server in a session of its own, so that neither Ctrl-C nor the end of this process reaches it. */
export async function startServer(folder: DataFolder, port = 0): Promise<StartedServer> {
  const { data, binaries, runAs } = folder;
  const log = await openLog(folder.log);
  const from = (await log.stat()).size;
  const args = ['-D', dataArgument(folder), '-p', String(port || (await freePort()))];
  const child = spawn(binaries.postgres, [...args, ...settings(data).flatMap((setting) => ['-c', setting])], {
    ...runAs,
    cwd: data,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    windowsHide: true,
  });
  child.unref();
  const server: StartedServer = {};
  child.once('error', (error) => {
    server.exited = { reason: error.message };
  });
  child.once('exit', async () => {
    server.exited = { reason: await lastFatal(folder.log, from) };
  });
  await log.close();
  return server;
}

/** A fast shutdown: open transactions are rolled back, all that was committed is on disk. Returns when it is down. */
export async function stopServer(folder: DataFolder, { pid }: Postmaster): Promise<void> {
  await askToStop(folder, pid).catch(() => undefined);
  const deadline = Date.now() + 60_000;
  for (;;) {
    const now = await readPostmaster(folder.data);
    if (now?.pid !== pid || !(await isServing(now, folder.data))) return;
    if (Date.now() > deadline) {
      throw fail('local_store_unavailable', {
        problem: 'its PostgreSQL does not stop',
        how: 'Look into postgres.log in the .cloudhal folder for what it waits for.',
      });
    }
    await delay(20);
  }
}

/** Windows has no signals; `pg_ctl` knows its own way. */
async function askToStop({ binaries, data }: DataFolder, pid: number): Promise<void> {
  if (process.platform !== 'win32') return void process.kill(pid, 'SIGINT');
  const args = ['stop', '-D', data, '-m', 'fast', '-W'];
  await promisify(execFile)(binaries.pg_ctl, args, { timeout: 10_000, windowsHide: true });
}

/**
 * Loopback and a password, not a unix socket: it is the same on Windows, works at any length of path (a socket's is
 * limited to about 100 bytes), and no cleaner of temporary folders can take it away. Any local user can reach the port,
 * so every login needs a SCRAM password that only this folder's owner can read.
 */
function settings(data: string): string[] {
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=100',
    'fsync=on',
    'synchronous_commit=on',
    'full_page_writes=on',
    'password_encryption=scram-sha-256',
    // Small and quick to start: a laptop's project, not a server.
    'shared_buffers=32MB',
    'max_wal_size=256MB',
    'io_method=sync',
    'max_logical_replication_workers=0',
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    // The log says what happened, never what was in a row or a statement.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    'log_checkpoints=off',
    folderMark(data),
  ];
}

async function openLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  if (size > 10_000_000) await rename(path, `${path}.1`).catch(() => undefined);
  return open(path, 'a', 0o600);
}

async function lastFatal(path: string, from: number): Promise<string> {
  const text = await readFile(path).catch(() => Buffer.alloc(0));
  const lines = text.subarray(from).toString('utf8').trim().split('\n');
  const fatal = lines.filter((line) => line.includes('FATAL')).at(-1) ?? lines.at(-1) ?? '';
  return fatal.replace(/^.*FATAL:\s*/, '') || 'see postgres.log';
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
