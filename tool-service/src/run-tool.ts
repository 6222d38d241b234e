import { type Bus, BusError } from '@cloudhal/shared/bus/bus';
import { events } from '@cloudhal/shared/contracts';
import { CommitUnknownError, type Database } from '@cloudhal/shared/database';
import { CloudhalError, type ErrorBody, fail, toErrorBody } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import type { Pool, ToolResult } from '@cloudhal/shared/tool';
import { createAsk } from './ask.ts';
import { type AuthorizeDeps, type Authorized, authorize } from './authorize.ts';
import type { Call } from './call.ts';
import { recordAttempt } from './calls/attempt.ts';
import type { Backlog } from './calls/backlog.ts';
import type { RecordRead } from './calls/record-reads.ts';
import { attemptedEvent, type Origin, originOf, outcomeEvent, readEvent } from './calls/records.ts';
import { resolveCall } from './calls/resolve.ts';
import type { Revocations } from './calls/revocations.ts';
import { endWithout, succeedStep } from './calls/settle.ts';
import type { Capabilities } from './capabilities.ts';
import type { Answer, Handler } from './define-tool.ts';
import { dryRun, type Mutation, mutate } from './graph/mutate.ts';
import { openSiteList } from './graph/site-list.ts';
import { SqlView } from './graph/sql-view.ts';

/** Moments of a change, for tests that stop or end a worker there. */
export type Moment = 'attempted' | 'committing' | 'committed';

export type RunDeps = AuthorizeDeps & {
  database: Database;
  bus: Bus;
  log: Log;
  can: Capabilities;
  revocations: Revocations;
  recordRead: RecordRead;
  backlog: Pick<Backlog, 'check'>;
  at?: (moment: Moment, callId: string) => Promise<void>;
};

type Context = { answerTo: string; budgetMs: number; signal: AbortSignal };
type Running = Authorized & { origin: Origin; startedAt: number; call: Call };

// What rides the bus at most; less than the bus takes.
const longestResult = 512 * 1024;

/** The only way in: nothing of a tool runs without a permit for exactly this call. Errors are thrown as coded errors. */
export async function runTool(
  deps: RunDeps,
  pool: Pool,
  request: { permit: string; arguments: Record<string, unknown> },
  context: Context,
): Promise<{ kind: 'result'; result: ToolResult }> {
  const startedAt = performance.now();
  const authorized = authorize(deps, pool, request, context.answerTo);
  const { tool, permit, args } = authorized;
  const budgetMs = Math.min(tool.facts.budgetMs, context.budgetMs);
  const running: Running = {
    ...authorized,
    startedAt,
    origin: originOf(permit, tool.facts, args),
    call: {
      id: permit.callId,
      tool: permit.tool,
      principal: permit.principal,
      sites: permit.sites,
      scopes: permit.scopes,
      mode: permit.mode,
      ...(permit.skill && { skill: permit.skill }),
      ...(permit.approval && { approval: permit.approval }),
      // The bus ends the asker's budget by itself.
      signal:
        budgetMs < context.budgetMs ? AbortSignal.any([context.signal, AbortSignal.timeout(budgetMs)]) : context.signal,
      now: deps.now,
      can: deps.can,
    },
  };
  try {
    const { handler } = tool;
    const result =
      handler.kind === 'write' && !asksForDryRun(running)
        ? await runChange(deps, handler, running, budgetMs)
        : await runRead(deps, handler, running);
    return { kind: 'result', result };
  } catch (error) {
    const { body, cause } = coded(deps, error, running);
    throw new CloudhalError({ ...body, call_id: permit.callId }, { cause });
  }
}

/** A change that is only to say what it would do changes nothing, so it is run and recorded as a read. */
function asksForDryRun({ tool, args }: Authorized): boolean {
  const { dryRun: declared } = tool.facts.inputSchema.properties as Record<string, { default?: unknown } | undefined>;
  return declared !== undefined && (args.dryRun ?? declared.default) === true;
}

// ---- reads --------------------------------------------------------------------------------------------------------

async function runRead(deps: RunDeps, handler: Handler, running: Running): Promise<ToolResult> {
  const { permit, tool, args, token, origin, startedAt, call } = running;
  const record = (state: string, code?: ErrorBody['code']) =>
    deps.recordRead(readEvent(origin, permit, tool.facts, args, token, { state, startedAt, ...(code && { code }) }));
  let result: ToolResult;
  try {
    tool.check(args);
    result = bounded(await withinBudget(answerOf(deps, handler, running), call.signal));
  } catch (thrown) {
    const error = coded(deps, thrown, running);
    await record('failed', error.code);
    throw error;
  }
  // Before it is answered: what was read without a line in the record does not leave.
  await record('succeeded');
  return result;
}

async function answerOf(deps: RunDeps, handler: Handler, running: Running): Promise<ToolResult> {
  const { permit, args, call, token } = running;
  switch (handler.kind) {
    case 'sites':
      return handler.run(args, openSiteList(deps.database, permit.sites), call);
    case 'ask':
      return handler.run(
        args,
        createAsk(deps.bus, token, running.tool.facts.effect, call.signal, running.startedAt),
        call,
      );
    case 'view':
      return handler.run(args, new SqlView(deps.database, siteOf(running)), call);
    case 'write': {
      const prepared = await handler.prepare?.(args, new SqlView(deps.database, siteOf(running)), call);
      const { answer } = await dryRun(deps.database, siteOf(running), (draft) =>
        handler.run(args, draft, call, prepared),
      );
      return { ...answer, changed: false };
    }
  }
}

// ---- changes ------------------------------------------------------------------------------------------------------

type WriteHandler = Extract<Handler, { kind: 'write' }>;

async function runChange(
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
    (tx, made) => [
      succeedStep(tx, permit.callId, {
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
    reason: 'agentMutation',
    callId: permit.callId,
    actor: { id: principal.id, name: principal.name },
    ...(skill && { skill: skill.name }),
    ...(typeof note === 'string' && { note }),
    ...(base && { base }),
  };
}

/** The answer to the commit was lost: asks the store, and gives up what was not applied, before anything is said. */
async function settleUnknown(deps: RunDeps, running: Running): Promise<ToolResult> {
  const resolved = await resolveCall(deps.database, running.permit.callId, true).catch(() => undefined);
  if (!resolved) throw fail('outcome_unknown');
  callEnded(deps, running, resolved.state);
  if (resolved.state === 'succeeded') return resolved.result;
  if (resolved.state === 'failed') throw new CloudhalError(resolved.error);
  throw fail('storage_unavailable');
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

// ---- both ---------------------------------------------------------------------------------------------------------

function siteOf({ permit }: Running): string {
  if (permit.site === undefined)
    throw fail('validation_failed', { path: 'site', expected: 'one of the sites of list_sites' });
  return permit.site;
}

/** What nobody foresaw is logged with the call's id, and only that leaves. */
function coded(deps: RunDeps, error: unknown, { permit }: Running): CloudhalError {
  if (error instanceof CloudhalError) return error;
  if (error instanceof BusError) return fail('tool_unavailable');
  deps.log.error({ err: error, callId: permit.callId, tool: permit.tool }, 'a tool failed');
  return fail('internal');
}

function bounded(result: ToolResult): ToolResult {
  if (Buffer.byteLength(JSON.stringify(result)) > longestResult) {
    throw fail('limit_exceeded', { what: 'The answer', max: `${longestResult} bytes; ask for less of it` });
  }
  return result;
}

async function withinBudget<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: (() => void) | undefined;
  const spent = new Promise<never>((_, reject) => {
    onAbort = () => reject(fail('deadline_exceeded_not_applied'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, spent]);
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort);
    work.catch(() => undefined);
  }
}
