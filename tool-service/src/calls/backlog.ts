import { setTimeout as sleep } from 'node:timers/promises';
import type { Stop } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import { outboxBacklog } from '@cloudhal/shared/outbox';

export type BacklogLimits = { rows: number; ageMs: number };
export type Backlog = {
  /** Throws `audit_unavailable` where the record is too far behind for more changes. */
  check(): void;
  stop: Stop;
};

/** Watches how far the record is behind. Changes stop before their record could be lost; reads go on. */
export async function watchBacklog(
  database: Database,
  log: Log,
  limits: BacklogLimits = { rows: 100_000, ageMs: 300_000 },
  everyMs = 2_000,
): Promise<Backlog> {
  let tooFar = false;
  const look = async () => {
    const { rows, oldestMs } = await outboxBacklog(database, 'tools');
    const now = rows >= limits.rows || oldestMs >= limits.ageMs;
    if (now !== tooFar)
      log[now ? 'error' : 'info']({ rows, oldestMs }, now ? 'the record is too far behind' : 'the record caught up');
    tooFar = now;
  };
  await look();
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      // Where the store does not answer, changes fail by themselves.
      if (!stopping.signal.aborted)
        await look().catch((error: unknown) => log.warn({ err: error }, 'the backlog is not known'));
    }
  })();
  return {
    check() {
      if (tooFar) throw fail('audit_unavailable');
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
