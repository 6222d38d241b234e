import { setTimeout as sleep } from 'node:timers/promises';
import { events, siteUri } from '@cloudhal/shared/contracts';
import { CommitUnknownError } from '@cloudhal/shared/database';
import { CloudhalError, fail, toErrorBody } from '@cloudhal/shared/errors';
import type { ToolResult } from '@cloudhal/shared/tool';
import { recordAttempt } from './calls/attempt.ts';
import { attemptedEvent, outcomeEvent, readEvent } from './calls/records.ts';
import { type Resolved, resolveCall } from './calls/resolve.ts';
import { endWithout, succeedStep } from './calls/settle.ts';
import type { Answer, Handler } from './define-tool.ts';
import { type Mutation, mutate } from './graph/mutate.ts';
import { SqlView } from './graph/sql-view.ts';
import { type RunDeps, type Running, siteOf, withinBudget } from './running.ts';

type WriteHandler = Extract<Handler, { kind: 'write' }>;

/** The rule of permits for what was scheduled, given by policy-service when its time has come. */
const scheduledRule = 'scheduled';

/** What a permit is for: the call itself, or what it had planned for this time. */
export function workOf(handler: WriteHandler, { rule }: Running['permit']): WriteHandler {
  if (rule !== scheduledRule) return handler;
  if (!handler.due) throw fail('permit_invalid');
  return { kind: 'write', exclusive: true, run: handler.due };
}

/** Runs a change: the attempt is written down first, and its outcome is committed together with what it changed. */
export async function runChange(
  deps: RunDeps,
  handler: WriteHandler,
  running: Running,
  budgetMs: number,
): Promise<ToolResult> {
  const { permit, tool, args, token, origin } = running;
  deps.backlog.check();
  const attempt = recordAttempt(deps.database, {
    permit,
    permitExpiry: running.expiry,
    idempotencyKey: running.idempotencyKey,
    budgetMs,
    origin,
    event: attemptedEvent(origin, permit, tool.facts, args, token),
  });
  try {
    const result = await applyChange(deps, handler, running, attempt);
    callEnded(deps, running, 'succeeded');
    siteChanged(deps, running, result);
    return result;
  } catch (error) {
    // Where the call was not even begun, that is the answer.
    const { repeated } = await attempt;
    if (repeated) {
      await deps.recordRead(readEvent(origin, permit, tool.facts, args, token, { state: 'repeated' }));
      return repeated;
    }
    if (error instanceof CommitUnknownError) return settleUnknown(deps, running);
    await endInVain(deps, running, error);
    throw error;
  }
}

/** Reading may begin while the attempt is being written down; whatever has an effect, and the commit, wait for it. */
async function applyChange(
  deps: RunDeps,
  handler: WriteHandler,
  running: Running,
  attempt: Promise<{ repeated?: ToolResult }>,
): Promise<ToolResult> {
  const { permit, tool, args, call, origin, startedAt } = running;
  const { principal } = permit;
  const begun = async () => {
    if ((await attempt).repeated) throw new Error('The call was made before.');
    await deps.at?.('attempted', permit.callId);
  };
  attempt.catch(() => undefined);
  tool.check(args);
  const site = siteOf(running);
  // The first look; the one that counts comes right before the commit.
  deps.revocations.check(principal).catch(() => undefined);
  if (handler.prepare || handler.exclusive) await begun();
  const prepared =
    handler.prepare && (await withinBudget(handler.prepare(args, new SqlView(deps.database, site), call), call.signal));
  const result = await mutate(
    deps.database,
    mutationOf(running, site, handler.exclusive),
    async (draft) => {
      const answer: Answer = await withinBudget(handler.run(args, draft, call, prepared), call.signal);
      if (!handler.prepare && !handler.exclusive) await begun();
      await deps.revocations.check(principal);
      await deps.at?.('committing', permit.callId);
      return answer;
    },
    (made) => [
      succeedStep(permit.callId, {
        result: made.result,
        ...(made.snapshot !== undefined && { snapshot: made.snapshot }),
        event: outcomeEvent(origin, { state: 'succeeded', startedAt }, made),
      }),
    ],
  );
  await deps.at?.('committed', permit.callId);
  return result;
}

function mutationOf({ permit, tool, args }: Running, site: string, exclusive: boolean): Mutation {
  const { principal, skill, base } = permit;
  const note = args.note ?? args.reason;
  return {
    site,
    exclusive,
    tool: tool.facts.name,
    reason: permit.rule === scheduledRule ? 'scheduledRelease' : 'agentMutation',
    callId: permit.callId,
    actor: { id: principal.id, name: principal.name },
    ...(skill && { skill: skill.name }),
    ...(typeof note === 'string' && { note }),
    ...(base && { base }),
  };
}

/** The answer to the commit was lost: asks the store, and gives up what was not applied, before anything is said. */
async function settleUnknown(deps: RunDeps, running: Running): Promise<ToolResult> {
  const resolved = await patientlyResolved(deps, running.permit.callId);
  if (!resolved) throw fail('outcome_unknown');
  callEnded(deps, running, resolved.state);
  if (resolved.state === 'succeeded') {
    siteChanged(deps, running, resolved.result);
    return resolved.result;
  }
  if (resolved.state === 'failed') throw new CloudhalError(resolved.error);
  throw fail('storage_unavailable');
}

/** A store that just lost a connection may need a moment, also to let go of what that connection held. */
async function patientlyResolved({ database, log }: RunDeps, callId: string): Promise<Resolved | undefined> {
  for (let tries = 1; tries <= 5; tries++) {
    try {
      return await resolveCall(database, callId, true);
    } catch (error) {
      log.warn({ err: error, callId, tries }, 'the outcome of a call is not known yet');
      await sleep(200 * tries);
    }
  }
  return undefined;
}

/** Writes down that the call changed nothing. Where that fails the sweeper does it, past the deadline. */
async function endInVain(deps: RunDeps, running: Running, error: unknown): Promise<void> {
  const body = { ...toErrorBody(error), call_id: running.permit.callId };
  const state = body.code === 'deadline_exceeded_not_applied' ? 'aborted' : 'failed';
  const event = outcomeEvent(running.origin, { state, code: body.code, startedAt: running.startedAt });
  const crashed = !(error instanceof CloudhalError);
  try {
    await endWithout(deps.database, running.permit.callId, { state, error: body, crashed, event });
    callEnded(deps, running, state);
  } catch (failure) {
    deps.log.warn({ err: failure, callId: running.permit.callId }, 'the end of a call could not be written down');
  }
}

function callEnded(deps: RunDeps, { permit }: Running, state: string): void {
  if (permit.approval)
    deps.bus.publish(events.callEnded, { callId: permit.callId, approvalId: permit.approval.id, state });
}

/** Tells who shows the site that it is no longer what it was. */
function siteChanged(deps: RunDeps, running: Running, { snapshot }: ToolResult): void {
  if (snapshot !== undefined) deps.bus.publish(events.resourceUpdated, { uri: siteUri(siteOf(running)) });
}
