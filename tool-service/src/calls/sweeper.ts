import { setTimeout as sleep } from 'node:timers/promises';
import type { Stop } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';
import { putInOutbox } from '@cloudhal/shared/outbox';
import { forgetHits } from '../analytics/take-hits.ts';
import { forgetComments } from '../comments/take-comment.ts';
import { type Origin, outcomeEvent } from './records.ts';

export type SweeperOptions = {
  database: Database;
  log: Log;
  /** Hears of each call that was given up. */
  ended: (callId: string, approvalId: string | undefined) => void;
  everyMs?: number;
  /** How long after its deadline a call is given up; its worker ends most by itself. */
  graceMs?: number;
};

type Row = { call_id: string; origin: Origin; approval_id: string | null };

/** Gives up calls whose deadline has passed, and says so in the record: proof that they were not and will not be applied. */
export async function sweep(database: Database, graceMs: number): Promise<Row[]> {
  return database.transaction(async (tx) => {
    const rows = await tx.query<Row>(
      `UPDATE tools.calls SET state = 'aborted', ended_at = clock_timestamp(), crashed = true
       WHERE call_id IN (
         SELECT call_id FROM tools.calls
         WHERE state = 'attempted' AND deadline < clock_timestamp() - $1::float8 * interval '1 millisecond'
         ORDER BY deadline LIMIT 100 FOR UPDATE SKIP LOCKED
       ) RETURNING call_id, origin, approval_id`,
      [graceMs],
      { name: 'sweep_calls' },
    );
    const events = rows.map((row) =>
      outcomeEvent(row.origin, { state: 'aborted', code: 'deadline_exceeded_not_applied' }),
    );
    await putInOutbox(tx, 'tools', ...events);
    return rows;
  });
}

/** Forgets the ends of calls after two days, previews that have expired, and comments that nobody wanted. */
async function forget(database: Database): Promise<void> {
  await database.query(
    `DELETE FROM tools.calls WHERE call_id IN (
       SELECT call_id FROM tools.calls WHERE ended_at < clock_timestamp() - interval '48 hours' LIMIT 2000 FOR UPDATE SKIP LOCKED)`,
  );
  await database.query(`DELETE FROM tools.preview WHERE expires_at < clock_timestamp() - interval '1 hour'`);
  await forgetComments(database);
  await forgetHits(database);
}

export function startSweeper({ database, log, ended, everyMs = 1_000, graceMs = 1_000 }: SweeperOptions): Stop {
  const stopping = new AbortController();
  const running = (async () => {
    let forgetAt = performance.now();
    while (!stopping.signal.aborted) {
      try {
        for (const row of await sweep(database, graceMs)) ended(row.call_id, row.approval_id ?? undefined);
        if (performance.now() >= forgetAt) {
          await forget(database);
          forgetAt = performance.now() + 600_000;
        }
      } catch (error) {
        log.warn({ err: error }, 'calls past their deadline could not be swept');
      }
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
