import { type CloudhalError, fail, toErrorBody } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import type { Log } from '@cloudhal/shared/log';
import type { Principal } from '@cloudhal/shared/policy';
import type { ToolResult } from '@cloudhal/shared/tool';
import {
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallTool, ToolCall } from '../call-tool.ts';
import type { Admission } from '../rate-limit.ts';
import { type Answer, type Approval, approvalError, formQuestion, pageQuestion, readAnswer } from './approvals.ts';
import { askClient, reportWaiting } from './ask-client.ts';
import { type AskModes, askModes, type ClientFacts } from './client-facts.ts';
import type { Decisions } from './decisions.ts';

/** Who calls, as authenticated. */
export type Caller = {
  principal: Principal;
  principalToken: () => string;
  /** They are over their limit of calls: only an answer that is waited for is let through. */
  refusal?: CloudhalError;
};

/** What a client of either era said about itself, and whether this very exchange can carry a question to it. */
export type Client = { facts: ClientFacts | undefined; capabilities: ClientCapabilities | undefined };

export type ToolCallDeps = {
  callTool: CallTool;
  decisions: Decisions;
  log: Log;
  /** Where Studio is, for links to an approval. */
  studioUrl: string | undefined;
  /** How long a call waits for a person's answer. */
  waitForPersonMs: number;
  admission: Admission | undefined;
};

/** Longer than this, and a client that reports no progress has given up. */
const pageWaitMs = 45_000;
const maxQuestions = 3;

/**
 * `tools/call`, in both eras. A call that needs a person is asked about as the client can be asked: by a result that the
 * client answers on a retry (2026-07-28), by a question in the middle of the call (2025), else by an error that says how
 * to go on. Only an accepted form with `confirm: true` is ever passed on as a yes.
 */
export async function serveToolCall(
  { params }: CallToolRequest,
  ctx: ServerContext,
  era: 'modern' | 'legacy',
  caller: Caller,
  client: Client,
  deps: ToolCallDeps,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const modes = askModes(client.capabilities);
    const { principal, principalToken } = caller;
    const asked = { ...readCall(params, ctx), principalToken, canElicit: modes.form, client: client.facts };
    let answer = readRetry(ctx);
    const visit = readVisit(ctx);
    const { admission } = deps;
    const question = (state: string) => ({ principal, tool: asked.tool, arguments: asked.arguments, state });
    const state = answer === undefined && visit === undefined ? undefined : ctx.mcpReq.requestState();
    const isAnswer = isText(state, 4096) && (await admission?.takeAnswer(question(state))) === true;
    if (!isAnswer) {
      if (caller.refusal) throw caller.refusal;
      await admission?.admit(principal, asked.tool);
    }

    for (let round = 1; ; round++) {
      const reply = await deps.callTool({ ...asked, ...(answer && { answer }) });
      if (reply.kind === 'result') return succeeded(reply.result);

      const mode = round > maxQuestions ? undefined : waysToAsk(reply.approval, modes, deps.studioUrl);
      const unanswered = withCallId(approvalError(reply.approval, deps.studioUrl), reply.callId);
      if (mode === undefined) throw unanswered;
      if (era === 'modern') {
        if (visit === undefined) {
          // An answer that costs nothing does not pay for the next one.
          if (!isAnswer) await admission?.expectAnswer(question(reply.approval.requestState));
          return ask(reply.approval, mode, deps.studioUrl);
        }
        if (round > 1 || visit !== 'accept' || !(await settledSoon(ctx, reply.approval, deps))) throw unanswered;
        answer = undefined;
      } else {
        const { decisions, studioUrl = '', waitForPersonMs } = deps;
        const asking = await askClient(ctx, reply.approval, mode, { decisions, studioUrl, waitMs: waitForPersonMs });
        if (asking === undefined) throw unanswered;
        answer = asking === 'settled' ? undefined : asking.answer;
      }
    }
  } catch (thrown) {
    return failed(thrown, deps.log);
  }
}

type Asked = Pick<ToolCall, 'tool' | 'arguments' | 'skill' | 'idempotencyKey' | 'confirmToken' | 'signal'>;

function readCall(params: CallToolRequest['params'], ctx: ServerContext): Asked {
  const meta = (ctx.mcpReq._meta ?? {}) as Record<string, unknown>;
  const idempotencyKey = meta['cloudhal.idempotencyKey'];
  if (idempotencyKey !== undefined && !isText(idempotencyKey, 128)) {
    throw fail('validation_failed', {
      path: '_meta["cloudhal.idempotencyKey"]',
      expected: 'a text of 1 to 128 characters',
    });
  }
  const confirmToken = meta['cloudhal.confirmToken'];
  if (confirmToken !== undefined && !isText(confirmToken, 4096)) throw fail('state_invalid');
  return {
    tool: params.name,
    arguments: params.arguments ?? {},
    skill: meta['cloudhal.skill'],
    idempotencyKey,
    confirmToken,
    signal: ctx.mcpReq.signal,
  };
}

/** The answer that a client of the 2026-07-28 revision sends on its retry; without the state it came with, it is none. */
function readRetry(ctx: ServerContext): Answer | undefined {
  const said = inputResponse(ctx.mcpReq.inputResponses, 'approve');
  const state = ctx.mcpReq.requestState();
  if (said.kind !== 'elicit' || state === undefined) return undefined;
  if (!isText(state, 4096)) throw fail('state_invalid');
  return readAnswer(state, said);
}

/** Whether the client's person opened the page in Studio; undefined where they were not asked to. */
function readVisit(ctx: ServerContext): Answer['action'] | undefined {
  const said = inputResponse(ctx.mcpReq.inputResponses, 'studio');
  return said.kind === 'elicit' ? said.action : undefined;
}

function waysToAsk(approval: Approval, modes: AskModes, studioUrl: string | undefined): 'form' | 'page' | undefined {
  if (modes.form && !approval.personOnly) return 'form';
  const needsPage = approval.personOnly || approval.confirmToken === undefined;
  return modes.url && needsPage && studioUrl !== undefined ? 'page' : undefined;
}

function ask(approval: Approval, mode: 'form' | 'page', studioUrl = ''): InputRequiredResult {
  const { requestState } = approval;
  if (mode === 'form') {
    return inputRequired({ inputRequests: { approve: inputRequired.elicit(formQuestion(approval)) }, requestState });
  }
  const studio = inputRequired.elicitUrl(pageQuestion(approval, studioUrl));
  return inputRequired({ inputRequests: { studio }, requestState });
}

/** A person who has the page open often answers at once. */
async function settledSoon(ctx: ServerContext, approval: Approval, { decisions }: ToolCallDeps): Promise<boolean> {
  const over = new AbortController();
  const stopProgress = reportWaiting(ctx, 'Waiting for an answer in Studio.');
  const timer = setTimeout(() => over.abort(), pageWaitMs);
  const given = AbortSignal.any([over.signal, ctx.mcpReq.signal]);
  try {
    const settled = decisions.settled(approval.id, over.signal).then(() => true);
    return await Promise.race([settled, new Promise<false>((no) => given.addEventListener('abort', () => no(false)))]);
  } finally {
    clearTimeout(timer);
    stopProgress();
    over.abort();
  }
}

function succeeded({ images = [], ...result }: ToolResult): CallToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(result) },
      ...images.map(({ mimeType, base64 }) => ({ type: 'image' as const, mimeType, data: base64 })),
    ],
    structuredContent: result as unknown as Record<string, unknown>,
  };
}

/** An error is text only: clients hold structured content against the tool's output schema, and would hide it. */
function failed(thrown: unknown, log: Log): CallToolResult {
  const body = toErrorBody(thrown);
  body.call_id ??= uuidv7();
  if (body.code === 'internal') log.error({ err: thrown, callId: body.call_id }, 'a tool call failed');
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}

function withCallId(error: CloudhalError, callId: string): CloudhalError {
  error.body.call_id = callId;
  return error;
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= maxLength;
}
