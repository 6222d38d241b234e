import { type Bus, BusError } from '@cloudhal/shared/bus/bus';
import { type ApprovalView, decideApproval, listApprovals, resolve } from '@cloudhal/shared/contracts';
import { CloudhalError, type ErrorBody, fail } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import { budgets, type ToolResult } from '@cloudhal/shared/tool';
import type { Static } from 'typebox';
import type { PresentPrincipal } from '../auth/present-principal.ts';
import { ask } from '../http/ask.ts';

export type Decision = {
  principal: string;
  id: string;
  decision: 'approve' | 'reject';
  reason?: string;
  recentSignIn: boolean;
};

export type Decided = {
  outcome: 'ran' | 'rejected' | 'asked_again';
  approval?: Static<typeof ApprovalView>;
  result?: ToolResult;
  /** Of the approval that took its place, where what was approved had moved. */
  replacedBy?: string;
};

/** Decides as a person. An approved call has run when this returns; a lost answer is looked up, so it says what is true. */
export async function decide(
  bus: Bus,
  decision: Decision,
  presentPrincipal: PresentPrincipal,
  timeoutMs: number = budgets.render,
): Promise<Decided> {
  const { principal, id } = decision;
  const { approvals } = await ask(bus, listApprovals, { principal, id }, 'policy_unavailable');
  if (!approvals[0]) throw fail('not_found', { what: 'approval', id });
  const requester = decision.decision === 'approve' ? await requesterOf(approvals[0], presentPrincipal) : {};
  const decided = await send(bus, { ...decision, ...requester, callId: uuidv7() }, timeoutMs);
  const approval = await readAgain(bus, principal, id);
  return { ...decided, ...(approval && { approval }) };
}

/** Whoever asked acts with what they may do today, not with what they could when they asked. */
async function requesterOf(
  approval: Static<typeof ApprovalView>,
  presentPrincipal: PresentPrincipal,
): Promise<{ requester?: string }> {
  const principalId = approval.principal.id;
  // One that was approved may be open again: its call took no effect.
  const isOpen = approval.state === 'pending' || approval.state === 'approved';
  if (principalId === 'local' || !isOpen) return {};
  const requester = await presentPrincipal(principalId);
  if (requester === undefined) throw fail('approval_revoked');
  return { requester };
}

type Sent = Decision & { callId: string; requester?: string };

async function send(bus: Bus, query: Sent, timeoutMs: number): Promise<Decided> {
  let reply: Awaited<ReturnType<typeof requestDecision>>;
  try {
    reply = await requestDecision(bus, query, timeoutMs);
  } catch (error) {
    if (!(error instanceof BusError)) throw withCallId(error, query.callId);
    if (error.reason === 'no_responders') throw fail('policy_unavailable');
    if (query.decision === 'approve') return { outcome: 'ran', result: await lookUp(bus, query.callId) };
    const now = await readAgain(bus, query.principal, query.id);
    if (now?.state !== 'rejected') throw fail('policy_unavailable');
    return { outcome: 'rejected' };
  }
  if (reply.kind === 'rejected') return { outcome: 'rejected' };
  if (reply.kind === 'approval_required') return { outcome: 'asked_again', replacedBy: reply.approval.id };
  return { outcome: 'ran', result: reply.result };
}

function requestDecision(bus: Bus, query: Sent, timeoutMs: number) {
  return bus.request(decideApproval, query, { timeoutMs });
}

async function lookUp(bus: Bus, callId: string): Promise<ToolResult> {
  const resolution = await bus
    .request(resolve, { callId, abort: true }, { timeoutMs: 3_000 })
    .catch(() => ({ state: 'unknown' }) as const);
  if (resolution.state === 'succeeded') return resolution.result;
  if (resolution.state === 'failed') throw withCallId(new CloudhalError(resolution.error as ErrorBody), callId);
  const code = resolution.state === 'aborted' ? 'deadline_exceeded_not_applied' : 'outcome_unknown';
  throw withCallId(fail(code), callId);
}

function withCallId(error: unknown, callId: string): unknown {
  return error instanceof CloudhalError
    ? new CloudhalError({ ...error.body, call_id: error.body.call_id ?? callId })
    : error;
}

/** The approval as it is now; not having it is no reason to hide what happened. */
async function readAgain(bus: Bus, principal: string, id: string) {
  try {
    return (await ask(bus, listApprovals, { principal, id }, 'policy_unavailable', 3_000)).approvals[0];
  } catch {
    return undefined;
  }
}
