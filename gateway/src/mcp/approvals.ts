import type { ApprovalQuestion } from '@cloudhal/shared/contracts';
import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { Static } from 'typebox';
import { diffLines } from './diff-lines.ts';

export type Approval = Static<typeof ApprovalQuestion>;
/** How a person answered a form; only an accepted one with `confirm: true` lets the call run. */
export type Answer = { state: string; action: 'accept' | 'decline' | 'cancel'; confirm?: boolean };

const maxLines = 60;

/** What a person reads before they answer: the change itself, as the server computed it. */
export function questionText({ summary, reason }: Approval): string {
  const shown = summary.lines.slice(0, maxLines);
  const hidden = summary.lines.length - shown.length;
  const rest = hidden > 0 ? [`… and ${hidden} more lines.`] : [];
  const diff = diffLines(summary.diff);
  const changes = diff.length > 0 ? ['', ...diff] : [];
  return [summary.title, ...shown, ...rest, ...changes, '', `Needs a person: ${reason}.`].join('\n');
}

export function formQuestion(approval: Approval): Omit<ElicitRequestFormParams, 'mode'> {
  return {
    message: questionText(approval),
    requestedSchema: {
      type: 'object',
      properties: {
        confirm: { type: 'boolean', title: 'Yes, do this', description: 'Runs the call as described.', default: false },
      },
      required: ['confirm'],
    },
  };
}

/** For an approval that only a signed-in person may answer: sends them to its page in Studio. */
export function pageQuestion(approval: Approval, studioUrl: string): { message: string; url: string } {
  return { message: `${questionText(approval)}\nOpen this page to answer.`, url: approvalPage(approval, studioUrl) };
}

/** What a client said to a form question. `"true"`, 1 and the like confirm nothing. */
export function readAnswer(state: string, said: { action: Answer['action']; content?: unknown }): Answer {
  const { confirm } = (said.content ?? {}) as { confirm?: unknown };
  return { state, action: said.action, ...(typeof confirm === 'boolean' && { confirm }) };
}

/** For a client that cannot be asked, or whose person did not answer: what waits, where, and how to go on. */
export function approvalError(approval: Approval, studioUrl: string | undefined): CloudhalError {
  const { id, reason, expiresAt, confirmToken, personOnly, summary } = approval;
  const page = studioUrl === undefined ? undefined : approvalPage(approval, studioUrl);
  const where = page === undefined ? 'in Studio under Approvals' : `in Studio: ${page}`;
  const token = personOnly ? undefined : confirmToken;
  const how =
    token === undefined
      ? `It waits for ${personOnly ? 'a signed-in person' : 'a person'} ${where}. Once they approved it, repeat the identical call.`
      : `Show details.summary to the person you work for. Only after they confirm it, repeat the identical call with confirmToken set to details.confirmToken. They can also answer ${where}.`;
  return fail('approval_required', {
    reason,
    how,
    approval: id,
    summary: { title: summary.title, lines: summary.lines },
    expiresAt,
    ...(token !== undefined && { confirmToken: token }),
    ...(page !== undefined && { page }),
  });
}

function approvalPage({ id }: Approval, studioUrl: string): string {
  return `${studioUrl.replace(/\/+$/, '')}/approvals/${encodeURIComponent(id)}`;
}
