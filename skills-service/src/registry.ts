import { type FSWatcher, watch } from 'node:fs';
import type { Log } from '@cloudhal/shared/log';
import { type Folder, loadSkills, type SkillSet } from './skill-set.ts';

export interface Registry {
  current(): SkillSet;
  /** Reads all folders again, at once. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

export type RegistryOptions = {
  folders: readonly Folder[];
  log: Log;
  /** Called after a reload that changed the digest. */
  onChange: (set: SkillSet) => void;
  /** How often the folders are read where the system reports no changes (network mounts). */
  pollMs?: number;
};

/** How long the folders have to be quiet: an editor saves a file in several steps. */
const quietMs = 100;

/** The skills of some folders, kept current while they are edited. */
export async function openRegistry({ folders, log, onChange, pollMs = 10_000 }: RegistryOptions): Promise<Registry> {
  let set = await loadSkills(folders, log);
  let last = Promise.resolve();
  let quiet: NodeJS.Timeout | undefined;
  let stopped = false;

  function reload(): Promise<void> {
    last = last.then(replaceSet).catch((error) => log.error({ err: error }, 'the skills could not be read again'));
    return last;
  }

  async function replaceSet(): Promise<void> {
    const old = set;
    set = await loadSkills(folders, log);
    if (set.problems.join('\n') !== old.problems.join('\n')) logProblems();
    if (set.digest !== old.digest && !stopped) onChange(set);
  }

  function logProblems(): void {
    for (const problem of set.problems) log.warn({ problem }, 'a skill was left out');
  }

  function reloadSoon(): void {
    clearTimeout(quiet);
    quiet = setTimeout(reload, quietMs);
  }

  logProblems();
  const watchers = folders.map(({ path }) => watchFolder(path, reloadSoon, log));
  const poll = setInterval(reload, pollMs).unref();
  return {
    current: () => set,
    reload,
    async stop() {
      stopped = true;
      clearInterval(poll);
      clearTimeout(quiet);
      for (const watcher of watchers) watcher?.close();
      await last;
    },
  };
}

function watchFolder(path: string, onEvent: () => void, log: Log): FSWatcher | undefined {
  try {
    const watcher = watch(path, { recursive: true, persistent: false }, onEvent);
    watcher.on('error', (error) => {
      log.warn({ err: error, folder: path }, 'the skills folder is no longer watched; it is read now and then');
      watcher.close();
    });
    return watcher;
  } catch (error) {
    log.warn({ err: error, folder: path }, 'the skills folder cannot be watched; it is read now and then');
    return undefined;
  }
}
