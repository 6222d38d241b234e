import type { AnswerContext, forwarded } from '@cloudhal/shared/bus/bus';
import type { CallReply, decideApproval } from '@cloudhal/shared/contracts';
import { cut } from '@cloudhal/shared/cut';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { putInOutbox } from '@cloudhal/shared/outbox';
import type { Principal } from '@cloudhal/shared/policy';
import { openBox } from '@cloudhal/shared/sealed-box';
import type { Static } from 'typebox';
import { type Deadline, deadlineIn } from '../deadline.ts';
import { approvalOf, goOn } from '../go-on.ts';
import { type Judged, judge, type Prepared } from '../prepare.ts';
import { actorOf, ownActor } from '../record.ts';
import { change, type Room } from '../room.ts';
import { readSiteRules } from '../site-rules-store.ts';
import type { Approval } from './approval.ts';
import { approveAndConsume, consume } from './consume.ts';
import { isSameGround } from './ground.ts';
import { approvalEvent, move, readApproval } from './move.ts';
import { findOpen, lockKey, openApproval, sealContext } from './open-approval.ts';
import { questionOf } from './question.ts';
import { isOwnRequest, mustBeApprover, trustIn } from './trust.ts';

type Query = NonNullable<(typeof decideApproval)['types']>['query'];
type Reply = { kind: 'rejected' } | Static<typeof CallReply>;
type Read = Approval & { now: Date };

/**
 * A signed-in person decides. What they approve runs there and then, as whoever asked for it, with exactly the arguments
 * that were shown; everything that may have changed since is looked at again first.
 */
export async function decideInStudio(
  room: Room,
  query: Query,
  context: AnswerContext,
): Promise<Reply | typeof forwarded> {
  const person = room.readPrincipal(query.principal);
  const approval = await readApproval(room.database, query.id);
  if (!approval || !sees(person, approval)) throw fail('not_found', { what: 'approval', id: cut(query.id, 64) });
  mustBeApprover(person, approval.effect);
  // The same message twice: the permit is for the same call, which runs once.
  const again = approval.state === 'consumed' && approval.consumedCallId === query.callId;
  if (!again) await mustBeOpen(room, approval, person);
  const rules = await readSiteRules(room.database, approval.site);
  if (rules.fourEyes && isOwnRequest(person, approval.principal)) {
    throw fail('forbidden', { needs: 'another person than the one whose call this is' });
  }
  if (query.decision === 'reject') return await reject(room, approval, person, query);
  if (approval.effect === 'person' && !query.recentSignIn) throw fail('reauthentication_required');

  const deadline = deadlineIn(Math.min(room.settings.decideWithinMs, context.budgetMs));
  const requester = await presentRequester(room, approval, query.requester);
  const judged = await judgeAgain(room, approval, requester, query.callId, deadline);
  mustBeApprover(person, judged.decision.effect);
  if (judged.decision.effect === 'person' && !query.recentSignIn) throw fail('reauthentication_required');
  if (!isSameGround(approval, judged)) return await askAgain(room, approval, requester, judged, query.callId);
  deadline.left();
  const use = { callId: query.callId, actor: actorOf(person), by: person.id, via: 'studio' } as const;
  const used = again
    ? approval
    : await change(room, (tx) =>
        approval.state === 'approved' ? consume(tx, approval.id, use) : approveAndConsume(tx, room, approval.id, use),
      );
  if (used === undefined) throw await cameSecond(room, approval, person);
  const client = approval.client ?? undefined;
  return await goOn(
    room,
    { callId: query.callId, principal: requester, judged, client, approval: approvalOf(used) },
    context,
  );
}

/** What concerns no site is for those who see them all. */
export function sees({ sites }: Pick<Principal, 'sites'>, { site }: Pick<Approval, 'site'>): boolean {
  return sites === '*' || sites.includes(site);
}

async function reject(
  room: Room,
  approval: Approval,
  person: Principal,
  { reason }: Pick<Query, 'reason'>,
): Promise<Reply> {
  const rejected = await change(room, (tx) =>
    move(tx, approval.id, {
      from: [approval.state],
      to: approval.state === 'pending' ? 'rejected' : 'revoked',
      unexpired: true,
      actor: actorOf(person),
      decided: { by: person.id, via: 'studio', ...(reason && { reason }) },
    }),
  );
  if (rejected === undefined) throw await cameSecond(room, approval, person);
  return { kind: 'rejected' };
}

/**
 * Whoever asked, as they are now: a key that was revoked or given away, or a person who left, takes their requests along.
 * Only the developer at this machine stays who they are.
 */
async function presentRequester(room: Room, approval: Approval, signed: string | undefined): Promise<Principal> {
  if (signed === undefined && approval.principal.id !== 'local') throw fail('approval_revoked');
  const requester = signed === undefined ? approval.principal : room.readPrincipal(signed);
  if (requester.id !== approval.principal.id) throw fail('permit_invalid');
  const { revoked, outdated } = await room.keys.read(requester);
  if (revoked || requester.owner !== approval.principal.owner) {
    await end(room, approval, 'revoked', revoked ? 'the key was revoked' : 'the key has a new owner');
    throw fail('approval_revoked');
  }
  // What the key may do today is not known here: its next call says it.
  if (outdated) throw fail('approval_stale', { what: 'the agent key' });
  return requester;
}

/** Judges the kept call as if it were made now. What can no longer be done ends the approval. */
async function judgeAgain(
  room: Room,
  approval: Approval,
  requester: Principal,
  callId: string,
  deadline: Deadline,
): Promise<Judged> {
  let judged: Judged;
  try {
    const prepared = await prepareKept(room, approval, requester, deadline);
    judged = await judge(room, { callId, principal: requester }, prepared, deadline);
  } catch (error) {
    if (!(error instanceof CloudhalError) || error.status >= 500) throw error;
    await end(room, approval, 'stale', error.code);
    throw fail('approval_stale', { what: error.body.message });
  }
  const { decision, error } = judged.decision;
  if (decision === 'deny') {
    await end(room, approval, 'revoked', error?.code ?? 'denied');
    throw error ?? fail('approval_revoked');
  }
  return judged;
}

async function prepareKept(
  room: Room,
  approval: Approval,
  requester: Principal,
  deadline: Deadline,
): Promise<Prepared> {
  const tool = await room.tools.find(approval.tool);
  if (tool.schemaHash !== approval.schemaHash) throw fail('approval_stale', { what: `the tool ${tool.name}` });
  if (approval.sealedArguments === null) throw fail('approval_expired');
  const skill = await room.skills.declared(approval.skill?.name, deadline.left());
  const visible = await room.sites.visible(requester, deadline.left(2_000));
  const site = visible.find(({ id }) => id === approval.site);
  if (approval.site !== '' && !site) throw fail('not_found', { what: 'site', id: approval.site });
  const args = JSON.parse(openBox(room.kek, approval.sealedArguments, sealContext(approval.id)).toString('utf8'));
  return {
    tool,
    args,
    argumentsHash: approval.argumentsHash,
    ...(site && { site }),
    ...(skill && { skill }),
    ...(approval.idempotencyKey !== null && { idempotencyKey: approval.idempotencyKey }),
  };
}

/** The site moved on since the summary was made: the person is shown what the call would do now. */
async function askAgain(
  room: Room,
  approval: Read,
  requester: Principal,
  judged: Judged,
  callId: string,
): Promise<Reply> {
  const { client } = approval;
  const asked = { callId, principal: requester, ...(client && { client }) };
  const fresh = await change(room, async (tx) => {
    await lockKey(tx, requester);
    const found = await findOpen(tx, { asked, judged });
    return await openApproval(tx, room, { asked, judged }, found);
  });
  const { standing, decision, tainted } = judged;
  const trust = trustIn({
    settings: room.settings,
    rules: standing.rules,
    principal: requester,
    effect: decision.effect,
    tainted,
  });
  // For the person who looks at it: the agent is given a token of its own when it asks.
  const shown = { trust: { ...trust, tokens: false }, canElicit: false, now: standing.now };
  return { kind: 'approval_required', approval: await questionOf(room, fresh, shown) };
}

async function end(room: Room, { id }: Approval, to: 'stale' | 'revoked', note: string): Promise<void> {
  await change(room, (tx) => move(tx, id, { from: ['pending', 'approved'], to, actor: ownActor, note }));
}

async function mustBeOpen(room: Room, approval: Read, person: Principal): Promise<void> {
  const isOpen = approval.state === 'pending' || approval.state === 'approved';
  if (isOpen && approval.expiresAt > approval.now) return;
  throw isOpen ? fail('approval_expired') : await cameSecond(room, approval, person);
}

/** Somebody else decided: they are named, and the record knows that this person answered too. */
async function cameSecond(room: Room, { id }: Pick<Approval, 'id'>, person: Principal): Promise<CloudhalError> {
  const approval = await readApproval(room.database, id);
  if (!approval) return fail('approval_expired');
  const { state, decidedBy, decidedAt, expiresAt, createdAt } = approval;
  if (state === 'expired' || ((state === 'pending' || state === 'approved') && expiresAt <= approval.now)) {
    return fail('approval_expired');
  }
  if (state === 'revoked') return fail('approval_revoked');
  if (state === 'stale') return fail('approval_stale', { what: 'the site' });
  if (decidedBy !== null) {
    await change(room, async (tx) => {
      const note = { approval: { id, channel: 'studio' }, note: 'it was decided before' };
      await putInOutbox(tx, 'policy', approvalEvent(approval, 'answered', actorOf(person), note));
    });
  }
  const shown = state === 'rejected' || state === 'withdrawn' ? state : 'approved';
  const by = decidedBy ?? approval.principal.name;
  return fail('approval_decided', { state: shown, by, at: (decidedAt ?? createdAt).toISOString() });
}
