import type { actorOf } from '../record.ts';
import type { Room, Tx } from '../room.ts';
import type { Approval, Channel } from './approval.ts';
import { move } from './move.ts';

type Use = { callId: string; actor: ReturnType<typeof actorOf>; by: string; via: Channel };

/**
 * Approves what waits and uses it for one call, in one transaction, so that whatever is repeated or happens at once, it is
 * used once. `undefined`: somebody else was first, or it has expired.
 */
export async function approveAndConsume(tx: Tx, room: Room, id: string, use: Use): Promise<Approval | undefined> {
  const approved = await move(tx, id, {
    from: ['pending'],
    to: 'approved',
    unexpired: true,
    expiresInMs: room.settings.approvedMs,
    callId: use.callId,
    actor: use.actor,
    decided: { by: use.by, via: use.via },
  });
  return approved && (await consume(tx, id, use));
}

/** Uses for one call what was approved before and did not take effect. */
export function consume(tx: Tx, id: string, use: Pick<Use, 'callId' | 'actor'>): Promise<Approval | undefined> {
  return move(tx, id, { from: ['approved'], to: 'consumed', unexpired: true, callId: use.callId, actor: use.actor });
}
