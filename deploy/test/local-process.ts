import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { houseFile } from '@cloudhal/shared/house-file';

/** The command as it is built. */
export const cloudhal = [process.execPath, houseFile('deploy/dist/local/cloudhal.js')] as const;

/** A folder of its own for a project; removed at the end. */
export async function projectFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudhal-test-project-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

export type Ran = { code: number; stdout: string; stderr: string };

/** Runs a command to its end. */
export function run(command: readonly string[], args: readonly string[], cwd: string): Promise<Ran> {
  return new Promise((resolve) => {
    const [program = '', ...first] = command;
    execFile(program, [...first, ...args], { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
    });
  });
}

export type Started = { child: ChildProcess; output(): string; stop(signal?: NodeJS.Signals): Promise<void> };

/** Starts a command and waits until it has printed `sign`. */
export async function startUntil(
  command: readonly string[],
  args: readonly string[],
  cwd: string,
  sign: string,
): Promise<Started> {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  for (let i = 0; !output.includes(sign); i++) {
    if (i > 1_200 || child.exitCode !== null) throw new Error(`It did not say "${sign}":\n${output}`);
    await sleep(50);
  }
  return {
    child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
  };
}
