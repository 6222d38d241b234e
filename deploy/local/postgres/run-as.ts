import { lchown, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** PostgreSQL refuses to run as root; this is who it runs as instead. */
export type RunAs = { uid: number; gid: number };

const nobody: RunAs = { uid: 65534, gid: 65534 };

/** Undefined for an ordinary user, who runs it as themselves. Root runs it as the owner of the data folder. */
export async function chooseRunAs(data: string): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(data).catch(() => undefined);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody;
}

/** Gives a folder and all in it to another user. */
export async function giveTo(path: string, { uid, gid }: RunAs): Promise<void> {
  await lchown(path, uid, gid);
  const entries = (await stat(path)).isDirectory() ? await readdir(path, { withFileTypes: true }) : [];
  for (const entry of entries) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await giveTo(child, { uid, gid });
    else await lchown(child, uid, gid);
  }
}

/** Whether this user may run the program at a path: every folder above it must let them in. */
export async function canReach(path: string, { uid, gid }: RunAs): Promise<boolean> {
  const { mode, uid: owner, gid: group } = await stat(path);
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  return dirname(path) === path || (await canReach(dirname(path), { uid, gid }));
}

/** Whether a process has this id, whoever owns it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
