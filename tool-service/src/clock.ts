import { setTimeout as sleep } from 'node:timers/promises';
import type { Stop } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';

export type Clock = { now(): Date; stop: Stop };

const everyMs = 10_000;

/**
 * The store's time, so that permits and embargoes do not depend on this machine's clock: what PostgreSQL said last, and how
 * long ago that was.
 */
export async function startClock(database: Database, log: Log): Promise<Clock> {
  let known = await ask(database);
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      known = await ask(database).catch((error: unknown) => {
        log.warn({ err: error }, 'the time of the store is not known');
        return known;
      });
    }
  })();
  return {
    now: () => new Date(known.time + (performance.now() - known.at)),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function ask(database: Database): Promise<{ time: number; at: number }> {
  const before = performance.now();
  const [row] = await database.query<{ time: Date }>('SELECT clock_timestamp() AS time');
  // The answer was true somewhere on the way.
  return { time: row!.time.getTime(), at: (before + performance.now()) / 2 };
}
