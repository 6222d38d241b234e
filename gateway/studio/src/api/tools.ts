import type { Summary } from '@cloudhal/shared/contracts';
import type { ToolResult } from '@cloudhal/shared/tool';
import type { Static } from 'typebox';
import { change } from './client.ts';
import { ApiError } from './errors.ts';

/** What the server wants a person to confirm before it runs their call. */
export type Question = {
  id: string;
  summary: Static<typeof Summary>;
  reason: string;
  state: string;
  /** It has to be another person: the rules of the site want four eyes. */
  needsAnother: boolean;
};
type Reply = { kind: 'result'; result: ToolResult } | { kind: 'question'; question: Question };

/** Shows a question and resolves to what the person said. Set by the shell. */
let confirmCall: ((question: Question) => Promise<boolean>) | undefined;

export function whenCallNeedsConfirmation(ask: ((question: Question) => Promise<boolean>) | undefined): void {
  confirmCall = ask;
}

/** The person did not want it after all: nothing happened, and there is nothing to tell. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

/**
 * Runs a tool as the signed-in person; policy goes by their role. What always needs a person is shown to them first, with
 * what would change. Throws `ApiError` where it is refused, `NotConfirmed` where the person says no.
 */
export async function callTool<T>(
  tool: string,
  args: Record<string, unknown>,
  { requestId }: { requestId?: string } = {},
): Promise<ToolResult & { data: T }> {
  const body = { arguments: args, ...(requestId && { requestId }) };
  let reply = await change<Reply>('POST', `tools/${tool}`, body);
  if (reply.kind === 'question') {
    const { state } = reply.question;
    const confirm = (await confirmCall?.(reply.question)) ?? false;
    if (reply.question.needsAnother) throw new NotConfirmed();
    const answered = change<Reply>('POST', `tools/${tool}`, { ...body, answer: { state, confirm } });
    if (!confirm) {
      await answered.catch(() => undefined);
      throw new NotConfirmed();
    }
    reply = await answered;
  }
  if (reply.kind === 'question') {
    throw new ApiError(409, {
      code: 'asked_again',
      message: reply.question.reason,
      next: reply.question.summary.title,
    });
  }
  return reply.result as ToolResult & { data: T };
}
