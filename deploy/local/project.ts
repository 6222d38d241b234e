import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandError } from './command-error.ts';
import { typed } from './own-command.ts';

/** What a running `cloudhal start` says of itself in `<data>/server.json`, for other processes in the folder. */
export type ServerFile = { pid: number; url: string; mcpUrl: string; studioUrl: string };

/** Makes the data folder, with a .gitignore of its own so that a store is never committed. */
export function makeDataFolder(data: string): string {
  const folder = resolve(data);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const ignore = join(folder, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  return folder;
}

/** The data folder of a project that exists; else says how to make one. */
export function findDataFolder(data: string): string {
  const folder = resolve(data);
  if (!existsSync(folder)) {
    throw new CommandError(
      `Not a Cloudhal project: there is no ${data} here.\nRun \`${typed('init')}\` in the project folder, or start the client from it.`,
    );
  }
  return folder;
}

/** Says where this process is found, unless another one said so before and still runs. */
export function writeServerFile(folder: string, server: ServerFile): void {
  if (runningServer(folder) !== undefined) return;
  const file = join(folder, 'server.json');
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(server, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}

/** Removes the file if it is still ours. */
export function removeServerFile(folder: string): void {
  if (readServerFile(folder)?.pid === process.pid) rmSync(join(folder, 'server.json'), { force: true });
}

/** The running instance, or undefined where none runs (a file left by a killed one does not count). */
export function runningServer(folder: string): ServerFile | undefined {
  const server = readServerFile(folder);
  return server !== undefined && isAlive(server.pid) ? server : undefined;
}

function readServerFile(folder: string): ServerFile | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')) as ServerFile;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
