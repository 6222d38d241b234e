import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** One of the frozen programs under `limits/`, as a process. */
export type LimitProcess = { url: string; pid: number; stop(): Promise<void> };

export async function startLimit(name: string, ...args: string[]): Promise<LimitProcess> {
  const child = spawn(process.execPath, [limitFile(name), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH },
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const ready = once(child, 'message') as Promise<[{ port?: number }]>;
  const late = sleep(20_000, undefined, { ref: false });
  const answer = await Promise.race([ready, ended.then(() => undefined), late]);
  if (answer === undefined) {
    await stop();
    throw new Error(`${name} did not start`);
  }
  return { url: `http://127.0.0.1:${answer[0].port ?? 0}/mcp`, pid: child.pid ?? 0, stop };
}

function limitFile(name: string): string {
  return join(import.meta.dirname, 'limits', `${name}.js`);
}
