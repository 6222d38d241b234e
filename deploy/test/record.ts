import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cloudhal/shared/database';
import { expect } from 'vitest';

const outboxes = ['gateway', 'policy', 'tools'] as const;

/** Waits until every event of every outbox is archived; fails with what is missing after `withinMs`. */
export async function recordIsComplete(database: Database, withinMs = 60_000): Promise<void> {
  const until = Date.now() + withinMs;
  for (;;) {
    const waiting = await Promise.all(
      outboxes.map((schema) =>
        database.query(`SELECT event->>'type' AS type FROM ${schema}.outbox WHERE archived_at IS NULL`),
      ),
    );
    if (waiting.every((rows) => rows.length === 0)) return;
    if (Date.now() > until) expect(waiting.flat(), 'events that are not in the record').toEqual([]);
    await sleep(100);
  }
}

/** As if a minute had passed since events were published: those that nobody confirmed are published anew. */
export async function aMinuteLater(database: Database): Promise<void> {
  for (const schema of outboxes) {
    await database.query(
      `UPDATE ${schema}.outbox SET published_at = published_at - interval '1 minute' WHERE archived_at IS NULL`,
    );
  }
}

/** Waits until no call is undecided. After faults that is its deadline and a few seconds, when it is given up for those that died. */
export async function everyCallHasEnded(database: Database, withinMs = 45_000): Promise<void> {
  const open = async () => database.query(`SELECT call_id, tool FROM tools.calls WHERE state = 'attempted'`);
  for (const until = Date.now() + withinMs; Date.now() < until && (await open()).length > 0; ) await sleep(100);
  expect(await open(), 'calls that are undecided').toEqual([]);
}

/** What must hold after any story: one snapshot for each successful mutation, numbers without gaps, nothing undecided. */
export async function graphIsConsistent(database: Database): Promise<{ snapshots: number }> {
  const [sum] = await database.query<{
    snapshots: number;
    gaps: number;
    heads: number;
    undecided: number;
    succeeded: number;
  }>(`
    SELECT (SELECT count(*) FROM tools.snap)::int AS snapshots,
      (SELECT count(*) FROM (SELECT seq - lag(seq, 1, 0::bigint) OVER (PARTITION BY site_id ORDER BY seq) AS step FROM tools.snap) s WHERE step <> 1)::int AS gaps,
      (SELECT coalesce(sum(head_seq), 0) FROM tools.site)::int AS heads,
      (SELECT count(*) FROM tools.calls WHERE state = 'attempted')::int AS undecided,
      (SELECT count(*) FROM tools.snap s JOIN tools.calls c ON c.call_id = s.call_id WHERE c.state = 'succeeded')::int
        + (SELECT count(*) FROM tools.snap WHERE reason = 'siteCreated')::int AS succeeded`);
  expect(sum).toMatchObject({ gaps: 0, undecided: 0 });
  expect(sum!.heads).toBe(sum!.snapshots);
  expect(sum!.succeeded).toBe(sum!.snapshots);
  return { snapshots: sum!.snapshots };
}
