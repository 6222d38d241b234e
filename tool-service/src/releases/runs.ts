import type { ErrorBody } from '@cloudhal/shared/errors';
import { fail } from '@cloudhal/shared/errors';
import type { Draft } from '../graph/draft.ts';
import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';

/** `open`: neither scheduled nor live yet. `refused`: at its time it was not allowed any more. */
export const releaseStates = ['open', 'scheduled', 'released', 'refused'] as const;
export type ReleaseState = (typeof releaseStates)[number];

/** One time that a release was, or is, to go live. */
export type Run = {
  state: Exclude<ReleaseState, 'open'> | 'unscheduled';
  at: Date;
  by: string;
  rev: number | null;
  tries: number;
  error: ErrorBody | null;
  snapshot: string | null;
  endedAt: Date | null;
};

/** A release's newest run `r`, of the release with the id that `release` selects. */
export const newestRun = (release: string) => `LEFT JOIN LATERAL (
    SELECT r.state, r.at, r.by, r.rev, r.tries, r.error, r.ended_at AS "endedAt",
      (SELECT s.id FROM tools.snap s WHERE s.call_id = r.call_id) AS snapshot
    FROM tools.release_run r WHERE r.site_id = $1 AND r.release_id = ${release} ORDER BY r.created_at DESC LIMIT 1
  ) r ON true`;

export async function readRun(view: View, release: string): Promise<Run | undefined> {
  const [run] = await view.rows<Run | { state: null }>(
    `SELECT r.* FROM (SELECT $2::text AS id) x ${newestRun('x.id')}`,
    [release],
  );
  return run?.state ? (run as Run) : undefined;
}

export function stateOf(run: { state: Run['state'] | null } | undefined): ReleaseState {
  return !run?.state || run.state === 'unscheduled' ? 'open' : run.state;
}

/** Refuses a change of a release that waits for its time: what was approved is not to become something else. */
export async function mustNotBeScheduled(view: View, release: GraphNode<'release'>): Promise<void> {
  const run = await readRun(view, release.id);
  if (run?.state === 'scheduled') {
    throw fail('in_use', {
      node: release.id,
      by: `its schedule for ${run.at.toISOString()}; unschedule_release first`,
    });
  }
}

/** Takes a schedule back, where there is one. */
export function endSchedule(draft: Draft, release: string): void {
  draft.write(
    `UPDATE tools.release_run SET state = 'unscheduled', ended_at = clock_timestamp()
     WHERE site_id = $1 AND release_id = $2 AND state = 'scheduled'`,
    [release],
  );
}

export function addSchedule(
  draft: Draft,
  run: { release: string; at: Date; rev: number; by: string; permit: string; arguments: object },
): void {
  draft.write(
    `INSERT INTO tools.release_run (site_id, release_id, state, at, next_try_at, rev, by, permit, arguments)
     VALUES ($1, $2, 'scheduled', $3, $3, $4, $5, $6, $7)`,
    [run.release, run.at, run.rev, run.by, run.permit, JSON.stringify(run.arguments)],
  );
}

/** A release that goes live by hand; a schedule that it has is over. */
export function recordReleased(draft: Draft, run: { release: string; by: string; callId: string }): void {
  endSchedule(draft, run.release);
  draft.write(
    `INSERT INTO tools.release_run (site_id, release_id, state, at, by, call_id, ended_at)
     VALUES ($1, $2, 'released', clock_timestamp(), $3, $4, clock_timestamp())`,
    [run.release, run.by, run.callId],
  );
}

/**
 * A scheduled release goes live: in the transaction of its snapshot, so it happens once, not before its time, and not after
 * the schedule was taken back or replaced.
 */
export function recordFired(draft: Draft, run: { release: string; rev: number; callId: string }): void {
  draft.write(
    `UPDATE tools.release_run SET state = 'released', ended_at = clock_timestamp(), call_id = $4, error = NULL
     WHERE site_id = $1 AND release_id = $2 AND state = 'scheduled' AND rev = $3 AND at <= clock_timestamp() RETURNING 1`,
    [run.release, run.rev, run.callId],
    { rows: 1, otherwise: fail('release_conflict', { with: 'its schedule, which was changed or carried out' }) },
  );
}
