import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running server of the tests. */
export type TestServer = {
  url: string;
  pid: number;
  port: number;
  /** Where its data is. */
  folder: string;
  /** Ends it and removes its folder, unless the folder was given. */
  stop(): Promise<void>;
  /** Sends a signal; after SIGKILL and SIGQUIT it resolves once the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
};

/** Give both to start a server again where another one of the same kind ended. */
export type Place = { folder?: string; port?: number };

export type Launch = {
  program: string;
  args: string[];
  uid?: number;
  gid?: number;
  url: string;
  port: number;
  folder: string;
  keepFolder: boolean;
  /** How it is asked to end. */
  stopSignal: NodeJS.Signals;
  /** Resolves once it serves; rejects while it does not yet. */
  probe: () => Promise<unknown>;
};

/** Starts a program and waits until it serves. */
export async function launch(launch: Launch): Promise<TestServer> {
  const { program, args, uid, gid, folder, keepFolder } = launch;
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  });
  let output = '';
  const collect = (text: Buffer) => {
    output = (output + text).slice(-4000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.on('error', (error) => collect(Buffer.from(error.message)));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));

  const onExit = () => {
    child.kill('SIGKILL');
    if (!keepFolder) rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', onExit);

  const stop = async () => {
    if (isRunning(child)) {
      child.kill('SIGCONT');
      child.kill(launch.stopSignal);
      await Promise.race([ended, sleep(10_000, undefined, { ref: false })]);
      child.kill('SIGKILL');
    }
    await ended;
    process.off('exit', onExit);
    if (!keepFolder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };

  for (let attempt = 0; ; attempt++) {
    try {
      await launch.probe();
      break;
    } catch (error) {
      if (attempt < 600 && isRunning(child)) await sleep(50);
      else {
        await stop();
        throw new Error(`${program} did not start: ${output}`, { cause: error });
      }
    }
  }
  return {
    url: launch.url,
    pid: child.pid ?? 0,
    port: launch.port,
    folder,
    stop,
    async kill(signal) {
      child.kill(signal);
      if (signal === 'SIGKILL' || signal === 'SIGQUIT') await ended;
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `cloudhal-test-${name}-`));
  await chmod(folder, 0o755);
  return folder;
}

/** A loopback port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
