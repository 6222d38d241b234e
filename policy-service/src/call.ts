/**
 * The life of one decision: who asks, what for, may it run. An allowed call goes on to tool-service, which answers the
 * gateway; everything else is answered here. Each refusal and each wait is recorded before it is answered.
 */
import type { AnswerContext, forwarded } from '@cloudhal/shared/bus/bus';
import type { CallReply, CallRequest } from '@cloudhal/shared/contracts';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import type { Static } from 'typebox';
import { type Answer, type Course, chooseCourse } from './approvals/course.ts';
import { questionOf } from './approvals/question.ts';
import { storedResult } from './approvals/stored-result.ts';
import { type Trust, trustIn } from './approvals/trust.ts';
import { countDecision } from './counts.ts';
import { type Deadline, deadlineIn } from './deadline.ts';
import { approvalOf, goOn, taintByResult } from './go-on.ts';
import { type Asked, type Judged, judge, mustBeCurrent, prepare } from './prepare.ts';
import { recordRefusal, recordStored, type Told } from './record.ts';
import { revokeKey } from './revoke-key.ts';
import { change, type Room } from './room.ts';

type Request = Static<typeof CallRequest>;
type Reply = Static<typeof CallReply>;
type Decided = { course: Course; judged: Judged; trust: Trust };

/** Kept from the end of the budget for the answer's way back. */
const reserveMs = 300;

export async function answerCall(
  room: Room,
  request: Request,
  context: AnswerContext,
): Promise<Reply | typeof forwarded> {
  const principal = room.readPrincipal(request.principal);
  const { callId, tool, answer, canElicit, client } = request;
  const asked: Asked = {
    callId,
    principal,
    tool,
    arguments: request.arguments,
    ...(request.skill !== undefined && { skill: request.skill }),
    ...(request.confirmToken !== undefined && { confirmToken: request.confirmToken }),
    ...(request.idempotencyKey !== undefined && { idempotencyKey: request.idempotencyKey }),
    ...(client && { client }),
  };
  const budget = deadlineIn(context.budgetMs - reserveMs);
  // Again where an approval turned out to be unused: the call that it was used for took no effect.
  for (let attempt = 0; attempt < 3; attempt++) {
    const { course, judged, trust } = await decideOn(room, asked, {
      answer,
      recentSignIn: request.recentSignIn ?? false,
      deadline: deadlineIn(Math.min(room.settings.decideWithinMs, budget.remaining())),
    });
    if (course.kind === 'run') {
      const approval = course.approval && approvalOf(course.approval);
      return await goOn(room, { callId, principal, judged, client, approval }, context);
    }
    if (course.kind === 'ask') {
      const approval = await questionOf(room, course.approval, { trust, canElicit, now: judged.standing.now });
      return { kind: 'approval_required', approval };
    }
    await taintByResult(room, principal, judged);
    const stored = await storedResult(room, course.approval, { once: course.once, budget });
    if (stored === undefined) continue;
    await recordStored(room, { ...asked, prepared: judged, decision: judged.decision }, course.approval.id);
    if ('error' in stored) throw stored.error;
    return stored.reply;
  }
  throw fail('policy_unavailable');
}

/** Decides; a refusal is in the record before it is thrown. */
async function decideOn(
  room: Room,
  asked: Asked,
  { answer, recentSignIn, deadline }: { answer: Answer | undefined; recentSignIn: boolean; deadline: Deadline },
): Promise<Decided> {
  const told: Told = { ...asked };
  try {
    const { principal } = asked;
    const keyState = await room.keys.read(principal);
    if (keyState.revoked && principal.keyId !== undefined) void revokeKey(room, principal.keyId);
    mustBeCurrent(keyState);
    told.prepared = await prepare(room, asked, deadline);
    const judged = await judge(room, asked, told.prepared, deadline);
    told.decision = judged.decision;
    const { refused, rules } = judged.standing;
    if (refused) throw new CloudhalError(refused);
    const { effect } = judged.decision;
    const trust = trustIn({ settings: room.settings, rules, principal, effect, tainted: judged.tainted });
    deadline.left();
    const course = await chooseCourse(room, { asked, judged, trust, recentSignIn }, told, answer);
    countDecision(course.kind === 'run' ? 'allow' : course.kind, judged.decision.rule);
    return { course, judged, trust };
  } catch (error) {
    throw await refuse(room, told, error);
  }
}

/** What could not be decided is no refusal: it may be tried again under the same call id. */
async function refuse(room: Room, told: Told, error: unknown): Promise<unknown> {
  if (!(error instanceof CloudhalError)) return error;
  countDecision('deny', told.decision?.rule ?? error.code);
  if (error.status >= 500) return error;
  try {
    return new CloudhalError(await change(room, (tx) => recordRefusal(tx, told, error)));
  } catch (unrecorded) {
    room.log.error({ err: unrecorded, callId: told.callId }, 'a refusal could not be recorded');
    return fail('audit_unavailable');
  }
}
