import type { ApprovalAnswer } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import type { Static } from 'typebox';
import { isLight } from '../prepare.ts';
import { actorOf, recordWaiting, type Told } from '../record.ts';
import { change, type Room } from '../room.ts';
import { type Approval, approvalColumns } from './approval.ts';
import { consume } from './consume.ts';
import { type Following, follow, markTold, rejected, type Said } from './follow.ts';
import { isSameGround, isStillTrusted } from './ground.ts';
import { move } from './move.ts';
import { type Case, findOpen, lockKey, mustHaveRoom, openApproval } from './open-approval.ts';
import { openPointer } from './tokens.ts';

/** What happens to a call that is not refused. */
export type Course =
  | { kind: 'run'; approval?: Approval }
  | { kind: 'ask'; approval: Approval }
  /** The call that this approval was used for has run, or runs: its result is the answer; `once`: only the first time. */
  | { kind: 'stored'; approval: Approval; once: boolean };

export type Answer = Static<typeof ApprovalAnswer>;

/** Chooses between running a call, asking a person, and the result of an approval that was used for it. Refusals are thrown. */
export async function chooseCourse(
  room: Room,
  call: Following,
  told: Told,
  answer: Answer | undefined,
): Promise<Course> {
  const { asked, judged, trust } = call;
  const { decision, standing } = judged;
  if (decision.decision === 'deny') {
    // What the key may no longer do at all is not left waiting.
    if (decision.rule === 'scope' && standing.waiting !== undefined)
      await close(room, standing.waiting, call, 'revoked');
    throw decision.error ?? fail('internal');
  }
  if (decision.decision === 'allow' && isLight(judged.tool)) return { kind: 'run' };

  const said = await whatWasSaid(room, call, answer);
  const followed = said && (await follow(room, call, said));
  if (followed) return followed;

  if (decision.decision === 'allow') {
    // The mode was raised while it waited: nobody needs to answer any more.
    if (standing.waiting !== undefined) await close(room, standing.waiting, call, 'withdrawn');
    return { kind: 'run' };
  }
  const before = (await sameWish(room, call)) ?? (await tellOnce(room, call));
  if (before) return before;
  if (judged.assessment?.unchanged) throw fail('nothing_to_change');
  // Asked before the lock is taken, so that a flood of one key does not hold up those of others.
  if (standing.waiting === undefined) await mustHaveRoom(room.database, room, asked.principal);

  return await change(room, async (tx): Promise<Course> => {
    const { callId, principal } = asked;
    await lockKey(tx, principal);
    const found = await findOpen(tx, call);
    // Approved before, and the call it was used for took no effect.
    if (found?.state === 'approved' && isSameGround(found, judged) && isStillTrusted(found, trust)) {
      const used = await consume(tx, found.id, { callId, actor: actorOf(principal) });
      if (used) return { kind: 'run', approval: used };
    }
    const approval = await openApproval(tx, room, call, found);
    await recordWaiting(tx, told, approval.id);
    return { kind: 'ask', approval };
  });
}

/** What the client answered, as far as it says which question that was. */
async function whatWasSaid(room: Room, { judged }: Following, answer: Answer | undefined): Promise<Said | undefined> {
  if (answer !== undefined) {
    if (answer.state === undefined) return undefined;
    const pointer = await openPointer(room.ring, 'rs', answer.state);
    return pointer && { pointer, via: 'elicitation', verdict: verdictOf(answer) };
  }
  if (judged.confirmToken === undefined) return undefined;
  const pointer = await openPointer(room.ring, 'ct', judged.confirmToken);
  if (pointer === undefined) throw fail('state_invalid');
  return { pointer, via: 'confirm_token', verdict: 'accept' };
}

function verdictOf({ action, confirm }: Answer): Said['verdict'] {
  if (action !== 'accept' || confirm === false) return 'decline';
  return confirm === true ? 'accept' : 'nothing';
}

async function close(room: Room, id: string, { asked }: Case, to: 'withdrawn' | 'revoked'): Promise<void> {
  const { callId, principal } = asked;
  const note = to === 'withdrawn' ? 'superseded' : 'the key lost the scope';
  await change(room, (tx) => move(tx, id, { from: ['pending'], to, actor: actorOf(principal), callId, note }));
}

/** The same idempotency key says that this is the wish of before, which a person granted: it is not asked for twice. */
async function sameWish(room: Room, { asked, judged }: Case): Promise<Course | undefined> {
  if (judged.idempotencyKey === undefined) return undefined;
  const [approval] = await room.database.query<Approval>(
    `SELECT ${approvalColumns} FROM policy.approval
     WHERE principal_id = $1 AND tool = $2 AND args_hash = $3 AND site = $4 AND idempotency_key = $5
       AND state IN ('consumed', 'succeeded') AND consumed_at > clock_timestamp() - interval '24 hours'
     ORDER BY consumed_at DESC LIMIT 1`,
    [asked.principal.id, judged.tool.name, judged.argumentsHash, judged.site?.id ?? '', judged.idempotencyKey],
  );
  return approval && { kind: 'stored', approval, once: false };
}

/**
 * Somebody decided in Studio since: the first identical call hears of it, a result as well as a refusal. After that the
 * call asks anew.
 */
async function tellOnce(room: Room, { asked, judged }: Case): Promise<Course | undefined> {
  const [approval] = await room.database.query<Approval>(
    `SELECT ${approvalColumns} FROM policy.approval
     WHERE principal_id = $1 AND tool = $2 AND args_hash = $3 AND site = $4 AND told_at IS NULL
       AND decided_via = 'studio' AND state IN ('consumed', 'succeeded', 'failed', 'rejected')
       AND decided_at > clock_timestamp() - interval '24 hours'
     ORDER BY decided_at DESC LIMIT 1`,
    [asked.principal.id, judged.tool.name, judged.argumentsHash, judged.site?.id ?? ''],
  );
  if (approval === undefined) return undefined;
  if (approval.state !== 'rejected') return { kind: 'stored', approval, once: true };
  if (await markTold(room, approval.id)) throw rejected(approval);
  return undefined;
}
