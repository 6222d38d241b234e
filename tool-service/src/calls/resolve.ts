import type { Database } from '@cloudhal/shared/database';
import type { ErrorBody } from '@cloudhal/shared/errors';
import { fail } from '@cloudhal/shared/errors';
import type { ToolResult } from '@cloudhal/shared/tool';
import type { CallState } from './attempt.ts';
import { type Origin, outcomeEvent } from './records.ts';
import { endWithout } from './settle.ts';

export type Resolved =
  | { state: 'succeeded'; result: ToolResult }
  | { state: 'failed'; error: ErrorBody }
  | { state: 'aborted' }
  | { state: 'attempted' };

type Row = {
  state: CallState;
  result: ToolResult | null;
  error: ErrorBody | null;
  origin: Origin;
  approval_id: string | null;
  late: boolean;
};

/**
 * The truth about a call. With `abort` the answer is definite: a call that has not ended is given up, and one that never
 * arrived leaves a tombstone, so that it never will be applied. `ended` hears of a call that this gave up.
 */
export async function resolveCall(
  database: Database,
  callId: string,
  abort: boolean,
  ended: (approvalId: string | undefined) => void = () => undefined,
): Promise<Resolved> {
  const found = await read(database, callId);
  if (!abort || (found && found.state !== 'attempted')) return found ? stated(found) : { state: 'attempted' };
  if (!found) {
    await database.query(
      `INSERT INTO tools.calls (call_id, state, tool, principal, args_hash, fingerprint, origin, deadline, ended_at)
       VALUES ($1, 'aborted', '', '', '', '', '{}', clock_timestamp(), clock_timestamp()) ON CONFLICT DO NOTHING`,
      [callId],
    );
  } else {
    const event = outcomeEvent(found.origin, { state: 'aborted', code: 'deadline_exceeded_not_applied' });
    // Waits for a transaction that is about to commit the call's success, and then finds it ended.
    if (await endWithout(database, callId, { state: 'aborted', crashed: found.late, event }))
      ended(found.approval_id ?? undefined);
  }
  const now = await read(database, callId);
  if (!now) throw fail('storage_unavailable');
  // It arrived between the first look and the tombstone.
  return now.state === 'attempted' ? resolveCall(database, callId, abort, ended) : stated(now);
}

async function read(database: Database, callId: string): Promise<Row | undefined> {
  const [row] = await database.query<Row>(
    // Late: it used up its time, so its worker may be the cause.
    `SELECT state, result, error, origin, approval_id, deadline < clock_timestamp() + interval '2 seconds' AS late
     FROM tools.calls WHERE call_id = $1`,
    [callId],
  );
  return row;
}

function stated({ state, result, error }: Row): Resolved {
  if (state === 'succeeded') return { state, result: result! };
  if (state === 'failed') return { state, error: error ?? fail('internal').body };
  return { state };
}
