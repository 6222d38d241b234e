import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail } from '@cloudhal/shared/errors';
import { type Binaries, findBinaries } from './binaries.ts';
import { readPassword } from './password.ts';
import { chooseRunAs, giveTo, isRunning, type RunAs } from './run-as.ts';

/** Everything that starting and joining the PostgreSQL of one folder needs. */
export type DataFolder = {
  /** The data folder of PostgreSQL, resolved. */
  data: string;
  log: string;
  password: string;
  binaries: Binaries;
  runAs: RunAs | undefined;
};

/** Finds the data folder, or makes it. Several processes may do so at once: one folder wins, whole. */
export async function openDataFolder(dataDir: string, onProgress: (line: string) => void): Promise<DataFolder> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const home = await realpath(dataDir);
  const data = join(home, 'postgres');
  const isThere = existsSync(join(data, 'PG_VERSION'));
  const password = await readPassword(home, !isThere);
  const runAs = await chooseRunAs(data);
  const binaries = await findBinaries(runAs);
  const folder = { data, log: join(home, 'postgres.log'), password, binaries, runAs };
  await removeLeftovers(home, basename(data));
  if (!isThere) {
    onProgress('Making the database of this folder (once; a few seconds)');
    await makeData(folder);
  }
  await checkData(folder);
  return folder;
}

/**
 * How PostgreSQL is told its folder. Root's folders are often closed to the user it runs as, but the folder it is
 * started in is open to it whatever is above.
 */
export function dataArgument({ data, runAs }: DataFolder): string {
  return runAs && process.platform === 'linux' ? '/proc/self/cwd' : data;
}

/** No tokens or PG* settings of whoever happens to be first reach a server that others will use. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LD_LIBRARY_PATH'];
  const entries = kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(entries), LC_ALL: 'C' };
}

/** Made beside its place and renamed into it: what a kill leaves half-made never stands there. */
async function makeData(folder: DataFolder): Promise<void> {
  const { data, password, runAs } = folder;
  const staging = `${data}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  const made = join(staging, 'data');
  try {
    await mkdir(made, { recursive: true, mode: 0o700 });
    await writeFile(join(staging, 'password'), `${password}\n`, { mode: 0o600 });
    if (runAs) await giveTo(staging, runAs);
    await runInitdb({ ...folder, data: made });
    await rename(made, data);
    await syncFolder(join(data, '..'));
  } catch (error) {
    if (!existsSync(join(data, 'PG_VERSION'))) throw existsSync(data) ? notData() : error;
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 });
  }
}

function notData(): Error {
  return fail('local_store_unavailable', {
    problem: 'its folder postgres is there, but holds no PostgreSQL data',
    how: 'Restore .cloudhal/postgres from a backup, or move it away to begin anew.',
  });
}

/**
 * Sorting and upper and lower case are PostgreSQL's own (`builtin`), so that an update of the system's libraries never
 * breaks an index; only the class of a character, for full-text search, is asked of the system where it has UTF-8.
 */
async function runInitdb(folder: DataFolder): Promise<void> {
  const ctypes = { linux: ['C.UTF-8', 'C'], darwin: ['UTF-8', 'C'] } as Record<string, string[]>;
  let output = '';
  for (const ctype of ctypes[process.platform] ?? ['C']) {
    const result = await initdb(folder, ctype);
    if (result.code === 0) return;
    output = result.output;
    if (!/invalid locale name/.test(output)) break;
  }
  throw fail('local_store_unavailable', {
    problem: `its PostgreSQL could not be made (${output.trim().split('\n').at(-1) || 'it took too long'})`,
    how: 'Put right what it says, or set CLOUDHAL_DATABASE_URL to a PostgreSQL of your own.',
  });
}

async function initdb(folder: DataFolder, ctype: string): Promise<{ code: number | null; output: string }> {
  const { data, binaries, runAs } = folder;
  const args = ['-D', dataArgument(folder), '-U', 'postgres', '--pwfile=../password', '--auth=scram-sha-256'];
  const locale = ['-E', 'UTF8', '--locale=C', `--lc-ctype=${ctype}`, '--locale-provider=builtin'];
  const child = spawn(binaries.initdb, [...args, ...locale, '--builtin-locale=C.UTF-8'], {
    ...runAs,
    cwd: data,
    env: serverEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
    windowsHide: true,
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

async function checkData({ data, binaries, runAs }: DataFolder): Promise<void> {
  const made = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  const [ours] = binaries.version.split('.');
  if (made !== ours) {
    throw fail('local_store_unavailable', {
      problem: `its data was written by PostgreSQL ${made}, and this Cloudhal carries PostgreSQL ${ours}`,
      how: 'Start it with the Cloudhal that made it and dump it with pg_dump, move .cloudhal/postgres away, start this Cloudhal, and load the dump.',
    });
  }
  if (runAs && (await stat(data)).uid !== runAs.uid) await giveTo(data, runAs);
  // A copied folder is often readable by others, which PostgreSQL refuses.
  if (process.platform !== 'win32') await chmod(data, 0o700);
}

/** What a killed `initdb` left. One still at work is younger than its limit, and its process is alive. */
async function removeLeftovers(home: string, name: string): Promise<void> {
  for (const entry of await readdir(home)) {
    const pid = entry.startsWith(`${name}.new-`) ? Number(entry.split('-')[1]) : undefined;
    if (pid === undefined) continue;
    const path = join(home, entry);
    const made = await stat(path).catch(() => undefined);
    if (isRunning(pid) && made && Date.now() - made.mtimeMs < 10 * 60_000) continue;
    // An orphaned initdb may still be writing there: what is left of it then goes at the next start.
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** The rename itself survives a power cut; Windows can not and need not. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
