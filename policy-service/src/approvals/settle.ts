import { type Resolution, resolve } from '@cloudhal/shared/contracts';
import { isUniqueViolation } from '@cloudhal/shared/database';
import type { Static } from 'typebox';
import { ownActor } from '../record.ts';
import { change, type Room } from '../room.ts';
import type { Approval, ApprovalState } from './approval.ts';
import { move } from './move.ts';

type Outcome = Static<typeof Resolution>;
type Used = Pick<Approval, 'id'> & { consumedCallId: string };

/** What became of the call that an approval was used for. With `abort` it is given up first if it has not ended. */
export function resolveCall(room: Room, callId: string, options: { abort: boolean; timeoutMs: number }) {
  return room.bus.request(resolve, { callId, abort: options.abort }, { timeoutMs: options.timeoutMs });
}

/** The change was refused because the site had moved on since the person saw it. */
const moved: ReadonlySet<unknown> = new Set(['approval_stale', 'digest_moved', 'rev_conflict']);

/**
 * Ends an approval with the call that it was used for. A call that took no effect gives the approval back, as long as it
 * is good. Says the new state; `undefined` where it was settled before, or the call still runs.
 */
export async function settle(room: Room, used: Used, outcome: Outcome): Promise<ApprovalState | undefined> {
  if (outcome.state === 'attempted') return undefined;
  if (outcome.state === 'succeeded') return await end(room, used, 'succeeded');
  if (outcome.state === 'failed') {
    const code = (outcome.error as { code?: unknown } | null)?.code;
    return await end(room, used, moved.has(code) ? 'stale' : 'failed', typeof code === 'string' ? code : undefined);
  }
  return (await reopen(room, used)) ?? (await end(room, used, 'aborted'));
}

async function end(room: Room, used: Used, to: ApprovalState, note?: string): Promise<ApprovalState | undefined> {
  const ended = await change(room, (tx) =>
    move(tx, used.id, {
      from: ['consumed'],
      to,
      actor: ownActor,
      callId: used.consumedCallId,
      ofCall: used.consumedCallId,
      ...(note !== undefined && { note }),
    }),
  );
  return ended?.state;
}

async function reopen(room: Room, used: Used): Promise<ApprovalState | undefined> {
  try {
    const reopened = await change(room, (tx) =>
      move(tx, used.id, {
        from: ['consumed'],
        to: 'approved',
        unexpired: true,
        actor: ownActor,
        callId: used.consumedCallId,
        ofCall: used.consumedCallId,
      }),
    );
    return reopened?.state;
  } catch (error) {
    // The same call was asked for anew in the meantime: that request stands.
    if (isUniqueViolation(error, 'approval_open')) return undefined;
    throw error;
  }
}

/** A call ended: its approval is settled. Anyone may say so, so tool-service is asked what is true. */
export async function settleCall(room: Room, callId: string): Promise<void> {
  const [used] = await room.database.query<Used>(
    `SELECT id, consumed_call_id AS "consumedCallId" FROM policy.approval
     WHERE consumed_call_id = $1 AND state = 'consumed'`,
    [callId],
    { name: 'policy.approval.of_call' },
  );
  if (used) await settle(room, used, await resolveCall(room, callId, { abort: false, timeoutMs: 2_000 }));
}
