import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBinaries, repairSymlinks } from './binaries.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudhal-binaries-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the programs of PostgreSQL', () => {
  it('are found for this platform and run', async () => {
    const { postgres, initdb, version } = await findBinaries();
    for (const program of [postgres, initdb]) {
      const { stdout } = await promisify(execFile)(program, ['--version']);
      expect(stdout).toContain(`(PostgreSQL) ${version.split('.').slice(0, 2).join('.')}`);
    }
  });

  it('are asked of the user where no package has them', async () => {
    await expect(findBinaries(undefined, 'sunos', 'x64')).rejects.toMatchObject({
      code: 'local_store_unavailable',
      message: expect.stringContaining('sunos-x64'),
      body: { next: expect.stringContaining('CLOUDHAL_DATABASE_URL') },
    });
  });

  it('get the symlinks that an installation without scripts left out', async () => {
    const { postgres } = await findBinaries();
    await cp(join(dirname(postgres), '../../scripts'), join(folder, 'scripts'), { recursive: true });
    await mkdir(join(folder, 'native/lib'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'native/lib/libpq.so.5.18'), 'a library');
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    await writeFile(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links));
    await repairSymlinks(folder);
    expect(await readlink(join(folder, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
  });

  it('are reported as incomplete when the symlinks cannot be made', async () => {
    await mkdir(join(folder, 'native'));
    await writeFile(join(folder, 'native/pg-symlinks.json'), '[{"source":"native/a","target":"native/b"}]');
    await expect(repairSymlinks(folder)).rejects.toMatchObject({
      code: 'local_store_unavailable',
      body: { next: expect.stringContaining('--ignore-scripts') },
    });
  });
});
