import { once } from 'node:events';
import type { ServerContext } from '@modelcontextprotocol/server';
import { type Answer, type Approval, formQuestion, pageQuestion, readAnswer } from './approvals.ts';
import type { Decisions } from './decisions.ts';

export type AskOptions = { decisions: Decisions; studioUrl: string; waitMs: number };

/** What came of asking: the person's answer, a decision made elsewhere, or nothing (the approval stays pending). */
export type Asking = { answer: Answer } | 'settled' | undefined;

const progressEveryMs = 10_000;

/**
 * Asks a client of the 2025 revisions with a real `elicitation/create`, in the middle of the call, and waits: for a form,
 * or for what a signed-in person decides on the page in Studio that the client opened. Whoever answers first counts; the
 * client's question is withdrawn when Studio was first.
 */
export async function askClient(
  ctx: ServerContext,
  approval: Approval,
  mode: 'form' | 'page',
  { decisions, studioUrl, waitMs }: AskOptions,
): Promise<Asking> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, ctx.mcpReq.signal]);
  const timer = setTimeout(() => over.abort(), waitMs);
  const stopProgress = reportWaiting(ctx, 'Waiting for a person to answer.');

  async function askWithForm(): Promise<Asking> {
    const params = formQuestion(approval);
    const said = await ctx.mcpReq.send({ method: 'elicitation/create', params }, { timeout: waitMs, signal });
    return { answer: readAnswer(approval.requestState, said) };
  }
  async function askWithPage(): Promise<Asking> {
    const params = { mode: 'url' as const, elicitationId: approval.id, ...pageQuestion(approval, studioUrl) };
    const said = await ctx.mcpReq.send({ method: 'elicitation/create', params }, { timeout: waitMs, signal });
    // To open the page is consent to look at it; the answer is given there.
    if (said.action === 'accept' && !signal.aborted) await once(signal, 'abort');
    return undefined;
  }

  try {
    const asked = mode === 'form' ? askWithForm() : askWithPage();
    return await Promise.race([asked, decisions.settled(approval.id, over.signal)]);
  } catch {
    // The client is gone, the time is up, or what the client said is no answer.
    return undefined;
  } finally {
    clearTimeout(timer);
    stopProgress();
    over.abort();
  }
}

/** Tells a client that asked for progress that the call is alive; it resets its timeout with each. */
export function reportWaiting(ctx: ServerContext, message: string): () => void {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const report = () => {
    const params = { progressToken, progress: ++progress, message };
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  report();
  const timer = setInterval(report, progressEveryMs);
  return () => clearInterval(timer);
}
