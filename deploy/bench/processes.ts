import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';

/** CPU time is read from `/proc`; where that is not, rows say so and do without. */
export const hasProc = process.platform === 'linux';

/** The processes and everything that they started. */
async function withChildren(pids: readonly number[]): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // After the name, which may contain anything: state, parent.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const found = new Set(pids);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (found.has(parent) && !found.has(pid)) grown = !!found.add(pid);
    }
  }
  return [...found];
}

/** Seconds on a CPU, by process, of all its threads together. */
export async function cpuSeconds(pids: readonly number[]): Promise<Map<number, number>> {
  const all = await withChildren(pids);
  return new Map(await Promise.all(all.map(async (pid): Promise<[number, number]> => [pid, await threadSeconds(pid)])));
}

async function threadSeconds(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')),
  );
  return times.reduce((sum, time) => sum + Number(time.split(' ')[0]), 0) / 1e9;
}

/** What was used between two readings. A process that ended meanwhile counts until the first of them. */
export function cpuBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const [pid, seconds] of after) sum += Math.max(0, seconds - (before.get(pid) ?? 0));
  return sum;
}

/** Seconds that all CPUs of the machine were busy since it started. */
export async function machineSeconds(): Promise<number> {
  const [, user, nice, system, , , irq, softirq, steal] = (await readFile('/proc/stat', 'utf8'))
    .split(/\s+/)
    .map(Number);
  return [user, nice, system, irq, softirq, steal].reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) / 100;
}

/** The share of the machine that was used by others than the given seconds of our own. */
export function othersShare(busy: number, own: number, elapsed: number): number {
  return Math.min(1, Math.max(0, (busy - own) / (elapsed * cpus().length)));
}

/** Megabytes that a process has in memory. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Does some work, and says what share of the machine others used meanwhile than this process and the given ones. */
export async function othersWhile<T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ result: T; others: number | undefined }> {
  if (!hasProc) return { result: await work(), others: undefined };
  const own = [process.pid, ...pids];
  const startedAt = performance.now();
  const [before, machineBefore] = await Promise.all([cpuSeconds(own), machineSeconds()]);
  const result = await work();
  const [after, machine] = await Promise.all([cpuSeconds(own), machineSeconds()]);
  const seconds = (performance.now() - startedAt) / 1000;
  return { result, others: othersShare(machine - machineBefore, cpuBetween(before, after), seconds) };
}
