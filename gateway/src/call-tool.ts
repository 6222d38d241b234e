/**
 * The life of one call, as the gateway sees it. Read this file first.
 *
 * The gateway asks policy-service once; an allowed call travels on to tool-service, which answers straight back. The
 * gateway owns the budget, and it owns the truth: where no answer came it asks what became of the call, so that nobody
 * is ever told "not applied" of a change that is in the store.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { type Bus, BusError } from '@cloudhal/shared/bus/bus';
import { type ApprovalAnswer, type CallReply, call, type Resolution, resolve } from '@cloudhal/shared/contracts';
import { cut } from '@cloudhal/shared/cut';
import { CloudhalError, type ErrorBody, errorTable, fail, toErrorBody } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import type { Log } from '@cloudhal/shared/log';
import { histogram } from '@cloudhal/shared/metrics';
import { budgets, type Catalogue, localToolNames, type ToolFacts } from '@cloudhal/shared/tool';
import type { Static } from 'typebox';

export type ToolCall = {
  /** The principal as signed for policy-service; asked for at each attempt, since it is valid for seconds only. */
  principalToken: () => string;
  tool: string;
  /** As the client sent them, after `parseJson`. */
  arguments: Record<string, unknown>;
  /** `_meta["cloudhal.skill"]`, whatever it is; policy-service refuses what is no known name. */
  skill?: unknown;
  idempotencyKey?: string;
  confirmToken?: string;
  /** How the client answered the question of an earlier round. */
  answer?: Static<typeof ApprovalAnswer>;
  /** The client can be asked with an elicitation on this very request. */
  canElicit: boolean;
  /** For a person's own call: they signed in a short while ago. */
  recentSignIn?: boolean;
  client?: { name?: string; version?: string };
  /** Called by a command at this machine, not by a client: `localToolNames` are for these alone. */
  isCommand?: boolean;
  /** Aborts when the client is gone. */
  signal?: AbortSignal;
};

type Reply = Static<typeof CallReply>;
type Found = Static<typeof Resolution>;
/** One round's answer, and the call id of that round. */
export type Answered = Reply & { callId: string };
/** Resolves to a result or a question for a person; rejects with a `CloudhalError` that names the call. */
export type CallTool = (asked: ToolCall) => Promise<Answered>;

export type CallToolDeps = { bus: Bus; log: Log; catalogue: () => Promise<Catalogue> };

const seconds = histogram('cloudhal_call_seconds', 'Rounds of calls, as agents saw them end.', ['tool', 'outcome']);

/** Pauses before the second and the third attempt of a call that surely did not run. */
const retryAfterMs = [100, 300];
/** How long past the budget the truth may take. */
const graceMs = 1_000;
const askAgainMs = 100;
/** How often it is looked whether a change has ended whose answer may have been lost. */
const lookEveryMs = 3_000;
/** Bytes of the request that asks for a call, whatever it comes by. */
export const maxCallBytes = 512 * 1024;
/** Longer than any tool's. */
const longestName = 64;

export function createCallTool(deps: CallToolDeps): CallTool {
  return async (asked) => {
    const callId = uuidv7();
    const startedAt = performance.now();
    let facts: ToolFacts | undefined;
    let outcome = 'internal';
    try {
      if (localToolNames.includes(asked.tool) && !asked.isCommand) throw fail('unknown_tool', { tool: asked.tool });
      facts = await factsOf(asked.tool, deps);
      const deadline = startedAt + (facts?.budgetMs ?? budgets.mutation);
      const reply = await run(callId, asked, facts, deadline, deps);
      outcome = reply.kind;
      return { ...reply, callId };
    } catch (thrown) {
      const body = toErrorBody(thrown, callId);
      outcome = body.code;
      throw new CloudhalError(body);
    } finally {
      seconds.observe({ tool: facts?.name ?? 'unknown', outcome }, (performance.now() - startedAt) / 1_000);
    }
  };
}

async function run(
  callId: string,
  asked: ToolCall,
  facts: ToolFacts | undefined,
  deadline: number,
  deps: CallToolDeps,
): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(callId, asked, facts, deadline, deps.bus);
    } catch (thrown) {
      const delay = retryAfterMs[attempt];
      if (delay !== undefined && didNotRun(thrown) && performance.now() + delay < deadline) {
        await pause(delay);
        continue;
      }
      if (isCertain(thrown)) throw thrown;
      if (thrown instanceof BusError && thrown.reason === 'no_responders') throw fail('policy_unavailable');
      if (!(thrown instanceof BusError)) deps.log.error({ err: thrown, callId }, 'a call broke');
      if (facts !== undefined && onlyReads(facts)) throw unansweredRead(thrown);
      return await findOut(callId, Math.max(deadline, performance.now()) + graceMs, deps);
    }
  }
}

async function send(
  callId: string,
  asked: ToolCall,
  facts: ToolFacts | undefined,
  deadline: number,
  bus: Bus,
): Promise<Reply> {
  const timeoutMs = Math.ceil(deadline - performance.now());
  // A process that was stopped for a while must not start what nobody waits for any more.
  if (asked.signal?.aborted || timeoutMs <= 0) throw fail('deadline_exceeded_not_applied');
  if (!bus.connected()) throw fail('policy_unavailable');
  const { principalToken, signal, isCommand: _, ...rest } = asked;
  const tool = cut(asked.tool, longestName);
  const request = { ...rest, tool, callId, principal: principalToken() };
  if (facts !== undefined && onlyReads(facts)) return await bus.request(call, request, { timeoutMs, signal });
  const over = new AbortController();
  const until = AbortSignal.any([over.signal, ...(signal ? [signal] : [])]);
  try {
    return await Promise.race([
      bus.request(call, request, { timeoutMs, signal: until }),
      lookFor(callId, over.signal, bus),
    ]);
  } finally {
    over.abort();
  }
}

/** The end of a call, where it has one; changes nothing of it. Its answer goes lost with a connection or a process. */
async function lookFor(callId: string, signal: AbortSignal, bus: Bus): Promise<Reply> {
  for (;;) {
    await pause(lookEveryMs, undefined, { signal });
    const found = await bus
      .request(resolve, { callId, abort: false }, { timeoutMs: lookEveryMs, signal })
      .catch(() => undefined);
    const end = found && endOf(found);
    if (end) return end;
  }
}

/**
 * What became of a call that nobody answered for. It is aborted first where it is not decided yet. Asked again while no
 * answer is here, and the first one counts: a worker that hangs does not keep the truth of the others back.
 */
async function findOut(callId: string, until: number, { bus, log }: CallToolDeps): Promise<Reply> {
  let tell: (found: Found) => void = () => undefined;
  const told = new Promise<Found>((settle) => {
    tell = settle;
  });
  for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
    bus
      .request(resolve, { callId, abort: true }, { timeoutMs: left })
      .then((found) => found.state === 'attempted' || tell(found))
      .catch((error: unknown) => log.warn({ err: error, callId }, 'could not ask what became of a call'));
    const found = await Promise.race([told, pause(askAgainMs)]);
    const end = found && endOf(found);
    if (end) return end;
  }
  throw fail('outcome_unknown');
}

/** What a call's end is to its caller; nothing where it has not ended. */
function endOf(found: Found): Reply | undefined {
  if (found.state === 'succeeded') return { kind: 'result', result: found.result };
  if (found.state === 'failed') throw recorded(found.error);
  if (found.state === 'aborted') throw fail('deadline_exceeded_not_applied');
  return undefined;
}

async function factsOf(tool: string, deps: CallToolDeps): Promise<ToolFacts | undefined> {
  const catalogue = await deps.catalogue().catch((error: unknown) => {
    deps.log.warn({ err: error }, 'no catalogue: the call is treated as a mutation');
  });
  // Policy-service refuses a tool that nobody has, and that is in the record as any other refusal.
  return catalogue?.tools.find((row) => row.name === tool);
}

/** The identical attempt may be made again: nobody worked on it. */
function didNotRun(thrown: unknown): boolean {
  if (thrown instanceof BusError) return thrown.reason === 'no_responders';
  return (
    thrown instanceof CloudhalError && ['overloaded', 'tool_unavailable', 'policy_unavailable'].includes(thrown.code)
  );
}

/** An answer, and one that knows whether it was applied. */
function isCertain(thrown: unknown): thrown is CloudhalError {
  return thrown instanceof CloudhalError && thrown.body.applied !== 'unknown';
}

function onlyReads({ effect, mutates }: ToolFacts): boolean {
  return !mutates && (effect === 'read' || effect === 'view');
}

function unansweredRead(thrown: unknown): CloudhalError {
  const cut = thrown instanceof BusError && thrown.reason === 'disconnected';
  return cut ? fail('tool_unavailable') : fail('deadline_exceeded_not_applied');
}

function recorded(error: unknown): CloudhalError {
  const body = error as ErrorBody | null;
  const known = typeof body?.code === 'string' && Object.hasOwn(errorTable, body.code);
  return known ? new CloudhalError(body) : fail('internal');
}
