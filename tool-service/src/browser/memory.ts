import { readdir, readFile } from 'node:fs/promises';

const pageSize = 4096;

/** Bytes that the processes of a group have for themselves; undefined where the system does not say. */
export async function memoryOf(group: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const sizes = await Promise.all(ids.map((id) => ownMemory(id, group).catch(() => 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function ownMemory(id: string, group: number): Promise<number> {
  const stat = await readFile(`/proc/${id}/stat`, 'utf8');
  // The name, in parentheses, may hold anything; after it: state, parent, group.
  const [, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (Number(processGroup) !== group) return 0;
  const [, resident = 0, shared = 0] = (await readFile(`/proc/${id}/statm`, 'utf8')).split(' ').map(Number);
  return (resident - shared) * pageSize;
}
