import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openEmbeddedPostgres } from '../embedded-postgres.ts';
import { isServing, readPostmaster } from '../lock.ts';

type Answer = {
  url?: string;
  rows?: Record<string, unknown>[];
  error?: { code: string; message: string };
  stopped?: true;
};

/** A real process, in a process group of its own, that uses the PostgreSQL of a folder. */
export type Member = {
  pid: number;
  url: string;
  query(sql: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
  /** kill -9 of the process and all in its group. */
  kill(): Promise<void>;
};

const children = new Set<ChildProcess>();

export function startProcess(script: string, ...args: string[]): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

export async function startMember(folder: string): Promise<Member> {
  const child = startProcess('member.mjs', folder);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const answer = async (): Promise<Answer> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the process ended without an answer');
    const said = JSON.parse(value) as Answer;
    if (said.error) throw Object.assign(new Error(said.error.message), said.error);
    return said;
  };
  const ask = (line: string) => {
    child.stdin!.write(`${line}\n`);
    return answer();
  };
  const { url = '' } = await answer();
  return {
    pid: child.pid!,
    url,
    query: async (sql) => (await ask(sql)).rows ?? [],
    stop: async () => {
      const gone = exit(child);
      await ask('stop');
      await gone;
    },
    kill: () => kill(child),
  };
}

export async function exit(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  return new Promise((resolve) => child.once('exit', resolve));
}

export async function kill(child: ChildProcess): Promise<void> {
  const gone = exit(child);
  process.kill(-child.pid!, 'SIGKILL');
  await gone;
}

/** The process id of the server that serves a folder, if one does. */
export async function serverOf(folder: string): Promise<number | undefined> {
  const data = join(folder, 'postgres');
  const postmaster = await readPostmaster(data);
  return postmaster && (await isServing(postmaster, data)) ? postmaster.pid : undefined;
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20);
}

/** Folders for tests. `initdb` runs once; most are copies of what it made. */
export function testFolders() {
  let root: string;
  let count = 0;
  const next = () => join(root, `project-${++count}`, '.cloudhal');
  const used: string[] = [];
  return {
    async setUp(): Promise<void> {
      root = await mkdtemp(join(tmpdir(), 'cloudhal-postgres-'));
      const postgres = await openEmbeddedPostgres(join(root, 'made', '.cloudhal'));
      await postgres.stop();
    },
    /** A folder where Cloudhal never ran. */
    fresh(): string {
      const folder = next();
      used.push(folder);
      return folder;
    },
    /** A folder whose data was made before and whose server is down. */
    async made(): Promise<string> {
      const folder = this.fresh();
      await cp(join(root, 'made', '.cloudhal'), folder, { recursive: true });
      return folder;
    },
    /** Ends every process and server of the tests so far. */
    async tidy(): Promise<void> {
      await Promise.all([...children].map(kill));
      for (const folder of used.splice(0)) {
        const pid = await serverOf(folder);
        if (pid) process.kill(pid, 'SIGQUIT');
        await until(async () => (await serverOf(folder)) === undefined);
        if (existsSync(folder)) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    },
    async tearDown(): Promise<void> {
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
