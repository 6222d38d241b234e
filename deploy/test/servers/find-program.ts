import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The path of a server program: on PATH, or where distributions keep it out of PATH; the newest PostgreSQL of several. */
export async function findProgram(name: string): Promise<string | undefined> {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const versions = await readdir('/usr/lib/postgresql').catch(() => []);
  const postgres = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join('/usr/lib/postgresql', version, 'bin'));
  for (const folder of [...onPath, '/usr/sbin', '/usr/local/sbin', '/usr/local/bin', ...postgres]) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
