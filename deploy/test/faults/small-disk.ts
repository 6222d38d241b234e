import { execFile } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../servers/server-process.ts';

const run = promisify(execFile);

/** A disk of its own that can be full. */
export type SmallDisk = {
  folder: string;
  /** Leaves no room on it. */
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
};

/** Nothing where this user may not mount one. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const folder = await temporaryFolder('disk');
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'cloudhal-test', folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (;;) {
          const { bavail, bsize } = await statfs(folder);
          if (bavail === 0) return;
          await file.write(Buffer.alloc(Math.min(bavail * bsize, 4 * 1024 * 1024), 1));
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    async remove() {
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
