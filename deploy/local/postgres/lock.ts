import { execFile } from 'node:child_process';
import { link, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRunning } from './run-as.ts';

/** What `postmaster.pid` says; it is PostgreSQL's own lock, taken by one server at a time. */
export type Postmaster = { pid: number; port: number; isReady: boolean; text: string };

const run = promisify(execFile);

export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(lockFile(data), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const isReady = lines[7]?.startsWith('ready') ?? false;
  return { pid: Number(lines[0]), port: Number(lines[3]), isReady, text };
}

/**
 * Whether the process that the lock names is the server of this folder. After a crash or a reboot its number may belong
 * to any other program, and its port to one that would like to be sent a password.
 */
export async function isServing({ pid }: Postmaster, data: string): Promise<boolean> {
  if (!(pid > 1) || !isRunning(pid)) return false;
  try {
    if (process.platform === 'linux') return await isLinuxServer(pid, data);
    if (process.platform === 'win32') {
      const { stdout } = await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], { timeout: 10_000 });
      return stdout.includes('postgres.exe');
    }
    const { stdout } = await run('ps', ['-ww', '-p', String(pid), '-o', 'command='], { timeout: 10_000 });
    return stdout.includes(folderMark(data));
  } catch {
    // Where the system cannot be asked, whoever has the number counts as the server: its lock must not be taken away.
    return isRunning(pid);
  }
}

async function isLinuxServer(pid: number, data: string): Promise<boolean> {
  try {
    // A server works in its data folder, and follows it when the project is moved.
    await readlink(`/proc/${pid}/cwd`);
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(data)]);
    return its.dev === ours.dev && its.ino === ours.ino;
  } catch (error) {
    // Root in a container may not look there, but may read the command line.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false;
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(folderMark(data));
  }
}

/** A setting that PostgreSQL ignores and that names the folder in its command line. */
export function folderMark(data: string): string {
  return `cloudhal.folder=${data}`;
}

/**
 * Removes a lock whose process is not the server of this folder. Taken by a rename and looked at once more: should
 * another process have started a server in between, its lock goes back. (PostgreSQL removes one itself only if no process
 * at all has the number in it. Its second lock, on the shared memory of the folder, holds in any case.)
 */
export async function discardLock(data: string, stale: Postmaster): Promise<void> {
  if (stale.pid > 1 && !isRunning(stale.pid)) return;
  // An empty lock may be one that is being written.
  if (stale.text === '' && Date.now() - (await mtime(lockFile(data))) < 2_000) return;
  const aside = `${lockFile(data)}.stale-${process.pid}`;
  try {
    await rename(lockFile(data), aside);
    if ((await readFile(aside, 'utf8')) !== stale.text) await link(aside, lockFile(data));
  } catch {
    // Another process was faster; the next look tells.
  }
  await rm(aside, { force: true });
}

async function mtime(path: string): Promise<number> {
  return stat(path).then(
    (file) => file.mtimeMs,
    () => 0,
  );
}

function lockFile(data: string): string {
  return join(data, 'postmaster.pid');
}
