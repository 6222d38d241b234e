import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import { putInOutbox } from '@cloudhal/shared/outbox';
import type { Asked, Judged } from '../prepare.ts';
import { actorOf, ownActor } from '../record.ts';
import { change, type Room } from '../room.ts';
import type { Approval, Channel } from './approval.ts';
import { approveAndConsume, consume } from './consume.ts';
import type { Course } from './course.ts';
import { isSameGround } from './ground.ts';
import { approvalEvent, move, readApproval } from './move.ts';
import type { Pointer } from './tokens.ts';
import type { Trust } from './trust.ts';

/** What the client said about an earlier question. */
export type Said = { pointer: Pointer; via: Channel; verdict: 'accept' | 'decline' | 'nothing' };

export type Following = {
  asked: Asked;
  judged: Judged;
  trust: Trust;
  /** Of a person's own call. */
  recentSignIn: boolean;
};

/**
 * Follows a token to its approval. `undefined`: it settles nothing, and the call is taken as if it had come without it.
 * The token only points; the row decides, by compare-and-set, and whoever comes second reads it again.
 */
export async function follow(room: Room, call: Following, said: Said): Promise<Course | undefined> {
  const { asked, judged } = call;
  const { pointer, via } = said;
  const isOurs =
    pointer.sub === asked.principal.id && pointer.tool === judged.tool.name && pointer.site === (judged.site?.id ?? '');
  if (!isOurs) throw fail('state_invalid');
  if (pointer.ah !== judged.argumentsHash) throw fail('approval_args_changed');
  for (let attempt = 0; attempt < 5; attempt++) {
    const approval = await readApproval(room.database, pointer.aid);
    if (!approval || !isOf(approval, pointer) || pointer.exp <= approval.now.getTime()) return gone(via);
    const next = await step(room, call, said, approval);
    if (next !== 'again') return next;
  }
  throw fail('policy_unavailable');
}

async function step(
  room: Room,
  call: Following,
  said: Said,
  approval: Approval & { now: Date },
): Promise<Course | undefined | 'again'> {
  const { callId } = call.asked;
  switch (approval.state) {
    case 'consumed':
      // The same message twice: its permit is good for the same call only.
      if (approval.consumedCallId === callId) return { kind: 'run', approval };
      await noteLateAnswer(room, approval, said.via, call.asked);
      return { kind: 'stored', approval, once: false };
    case 'succeeded':
    case 'failed':
      await noteLateAnswer(room, approval, said.via, call.asked);
      return { kind: 'stored', approval, once: false };
    case 'rejected':
      await markTold(room, approval.id);
      throw rejected(approval);
    case 'revoked':
      throw fail('approval_revoked');
    case 'stale':
      return undefined;
    case 'expired':
    case 'withdrawn':
    case 'aborted':
      return gone(said.via);
    default:
      return await answer(room, call, said, approval);
  }
}

/** The approval is open: this answer decides it, if it counts. */
async function answer(
  room: Room,
  { asked, judged, trust, recentSignIn }: Following,
  { via, verdict }: Said,
  approval: Approval & { now: Date },
): Promise<Course | undefined | 'again'> {
  const { callId, principal } = asked;
  const actor = actorOf(principal);
  const by = principal.owner ?? principal.id;
  if (verdict === 'decline') {
    const declined = await change(room, (tx) =>
      move(tx, approval.id, {
        from: [approval.state],
        to: approval.state === 'pending' ? 'rejected' : 'revoked',
        actor,
        callId,
        decided: { by, via },
      }),
    );
    if (!declined) return 'again';
    await markTold(room, approval.id);
    throw rejected(declined);
  }
  if (approval.expiresAt <= approval.now) return gone(via);
  const counts = via === 'confirm_token' ? trust.tokens : !trust.personOnly;
  if (judged.decision.decision === 'allow' || verdict === 'nothing' || !counts) return undefined;
  if (principal.kind === 'person' && !recentSignIn) throw fail('reauthentication_required');
  if (approval.principal.owner !== principal.owner) {
    await change(room, (tx) =>
      move(tx, approval.id, {
        from: [approval.state],
        to: 'revoked',
        actor: ownActor,
        note: 'the key has a new owner',
      }),
    );
    throw fail('approval_revoked');
  }
  if (!isSameGround(approval, judged)) return undefined;
  const used = await change(room, (tx) =>
    approval.state === 'approved'
      ? consume(tx, approval.id, { callId, actor })
      : approveAndConsume(tx, room, approval.id, { callId, actor, by, via }),
  );
  return used ? { kind: 'run', approval: used } : 'again';
}

function isOf(approval: Approval, pointer: Pointer): boolean {
  return (
    approval.principal.id === pointer.sub &&
    approval.tool === pointer.tool &&
    approval.site === pointer.site &&
    approval.argumentsHash === pointer.ah
  );
}

/** An answer to a question that is over is asked again; a token that is over has to be given up. */
function gone(via: Channel): undefined {
  if (via === 'confirm_token') throw fail('approval_expired');
  return undefined;
}

export function rejected({ rejectReason }: Pick<Approval, 'rejectReason'>): CloudhalError {
  return fail('approval_rejected', { because: rejectReason ? `: ${rejectReason}` : '' });
}

/** The agent knows what came of it; says whether this was the first time. */
export async function markTold(room: Room, id: string): Promise<boolean> {
  const told = await room.database.query(
    'UPDATE policy.approval SET told_at = clock_timestamp() WHERE id = $1 AND told_at IS NULL RETURNING id',
    [id],
  );
  return told.length > 0;
}

/** Somebody answered over another channel after it was decided: nothing follows from it, but the record knows. */
async function noteLateAnswer(room: Room, approval: Approval, via: Channel, { callId, principal }: Asked) {
  if (approval.decidedVia === via) return;
  await change(room, async (tx) => {
    const noted = await tx.query(
      `UPDATE policy.approval SET channels = array_append(channels, $2) WHERE id = $1 AND NOT $2 = ANY(channels)
       RETURNING id`,
      [approval.id, via],
    );
    if (noted.length === 0) return;
    const more = { call_id: callId, approval: { id: approval.id, channel: via }, note: 'it was decided before' };
    await putInOutbox(tx, 'policy', approvalEvent(approval, 'answered', actorOf(principal), more));
  });
}
