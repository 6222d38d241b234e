import { createHmac, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '@cloudhal/shared/errors';

/** The superuser's password, from `secrets/postgres-password`; made there once, before the data it belongs to. */
export async function readPassword(dataDir: string, mayMake: boolean): Promise<string> {
  const secrets = join(dataDir, 'secrets');
  const file = join(secrets, 'postgres-password');
  try {
    await mkdir(secrets, { recursive: true, mode: 0o700 });
    await chmod(secrets, 0o700);
    if (mayMake) await makePassword(file);
    const password = (await readFile(file, 'utf8')).trim();
    if (password.length >= 32) return password;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw notYours(error);
  }
  throw fail('local_store_unavailable', {
    problem: 'the password of its PostgreSQL is missing',
    how: 'Restore secrets/postgres-password in the .cloudhal folder from a backup, or move the folder away to begin anew.',
  });
}

/** The password of another role, as long as the superuser's is secret. */
export function passwordOf(role: string, superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(role).digest('base64url');
}

/** A link fails if the name is taken: of several that make one, all read the same, and none reads half of it. */
async function makePassword(file: string): Promise<void> {
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(own, { force: true });
  }
}

function notYours(error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' && code !== 'EPERM') return error as Error;
  return fail('local_store_unavailable', {
    problem: 'it belongs to another user of this machine',
    how: 'Start Cloudhal as the user who started it here first, or give that folder to the user who starts it now.',
  });
}
