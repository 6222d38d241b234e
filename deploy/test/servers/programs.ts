import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findProgram } from './find-program.ts';

/** The servers that the tests need, and the Debian package of each. */
const packages = {
  postgres: 'postgresql',
  'nats-server': 'nats-server',
  'redis-server': 'redis-server',
} as const;
export type Program = keyof typeof packages;

const run = promisify(execFile);

/** The path of a server's program; on Debian, as root, it is installed if it is missing. */
export async function ensureProgram(program: Program): Promise<string> {
  const found = (await findProgram(program)) ?? (await install(packages[program], () => findProgram(program)));
  if (found) return found;
  throw new Error(
    `The tests need ${program}, and it is not on this machine. Install it (on Debian: apt-get install ${packages[program]}), or start Docker with its compose plugin, or set CLOUDHAL_TEST_POSTGRES_URL, CLOUDHAL_TEST_NATS_URL and CLOUDHAL_TEST_REDIS_URL to servers of your own.`,
  );
}

/** Installs a package, on Debian as root, and looks again. */
export async function install<T>(name: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
  const isDebian = await access('/etc/debian_version').then(
    () => true,
    () => false,
  );
  if (!isDebian || process.getuid?.() !== 0) return undefined;
  const options = { timeout: 600_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-qq'], options);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options);
  return find();
}
