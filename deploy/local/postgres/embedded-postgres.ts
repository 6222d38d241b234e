import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@cloudhal/shared/errors';
import type { Client } from 'pg';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { discardLock, isServing, type Postmaster, readPostmaster } from './lock.ts';
import { passwordOf } from './password.ts';
import { type StartedServer, startServer, stopServer } from './server.ts';
import { allowLogin, ensureDatabase, enter, leave } from './users.ts';

/** One process's use of the PostgreSQL of a folder. */
export type EmbeddedPostgres = {
  /** The superuser's login to the database `cloudhal`; the same until `stop`, also if the server has to be restarted. */
  url: string;
  /** A role's login, once `allowLogin` has been called for it. */
  urlFor(role: string): string;
  /** Lets roles that exist log in with the password in `urlFor`. */
  allowLogin(...roles: string[]): Promise<void>;
  /** Ends this use; the last one stops the server and waits until it is down. Close pools first. */
  stop(): Promise<void>;
};

type Options = { onProgress?: (line: string) => void };
type Use = { client: Client; postmaster: Postmaster };

/**
 * Joins the PostgreSQL of a folder, and starts it where none runs: made at first, adopted if those who used it were
 * killed. It lives in a session of its own, so the end of any process that uses it is nothing to the others.
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  { onProgress = () => {} }: Options = {},
): Promise<EmbeddedPostgres> {
  const folder = await openDataFolder(dataDir, onProgress);
  const stopping = new AbortController();
  let use = await join(folder, onProgress, stopping.signal);
  const { port } = use.postmaster;
  let returning: Promise<void> | undefined;

  /** A crash of the server ends our use of it: take it up again, at the same address, before others think they are last. */
  const stay = ({ client }: Use) => {
    client.once('end', () => {
      if (!stopping.signal.aborted) returning = comeBack();
    });
  };
  const comeBack = async () => {
    for (let wait = 100; !stopping.signal.aborted; wait = Math.min(wait * 2, 10_000)) {
      try {
        use = await join(folder, onProgress, stopping.signal, port);
        return stay(use);
      } catch (error) {
        if (!stopping.signal.aborted) onProgress(`${(error as Error).message} Trying again`);
      }
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const stop = async () => {
    stopping.abort();
    await returning;
    await end(folder, use);
  };

  try {
    await ensureDatabase(use.client, 'cloudhal');
  } catch (error) {
    await stop();
    throw error;
  }
  stay(use);
  let stopped: Promise<void> | undefined;
  return {
    url: login('postgres', folder.password, port),
    urlFor: (role) => login(role, passwordOf(role, folder.password), port),
    async allowLogin(...roles) {
      for (const role of roles) await allowLogin(use.client, role, passwordOf(role, folder.password));
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Looks at PostgreSQL's own lock until this process is a user of the server that holds it. */
async function join(
  folder: DataFolder,
  onProgress: (line: string) => void,
  signal: AbortSignal,
  port?: number,
): Promise<Use> {
  const deadline = Date.now() + 60_000;
  let started: StartedServer | undefined;
  let failures = 0;
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    const postmaster = await readPostmaster(folder.data);
    if (postmaster && (await isServing(postmaster, folder.data))) {
      const client = postmaster.isReady ? await enter(postmaster.port, folder.password) : undefined;
      if (client) return { client, postmaster };
    } else if (started?.exited && ++failures > 5) {
      throw fail('local_store_unavailable', {
        problem: `its PostgreSQL does not start (${started.exited.reason})`,
        how: 'Put right what it says; postgres.log in the .cloudhal folder has more.',
      });
    } else if (!started || started.exited) {
      if (postmaster) await discardLock(folder.data, postmaster);
      // One that lost against another process, or a backend that outlived its crashed server, passes by itself.
      if (started) await delay(50 * 2 ** failures);
      else onProgress('Starting PostgreSQL');
      started = await startServer(folder, port);
    }
    await delay(15);
  }
  throw fail('local_store_unavailable', {
    problem: 'its PostgreSQL does not answer',
    how: 'Look into postgres.log in the .cloudhal folder. If it is repairing itself after a crash, start again in a minute.',
  });
}

async function end(folder: DataFolder, { client, postmaster }: Use): Promise<void> {
  // A broken connection means that the server is gone already.
  const isLast = await leave(client).catch(() => false);
  if (isLast) await stopServer(folder, postmaster);
  await client.end().catch(() => undefined);
}

function login(role: string, password: string, port: number): string {
  return `postgres://${encodeURIComponent(role)}:${password}@127.0.0.1:${port}/cloudhal?sslmode=disable`;
}
