import type { AnswerContext, forwarded } from '@cloudhal/shared/bus/bus';
import { run } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import type { Permit } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import type { Approval } from './approvals/approval.ts';
import { forgetComment } from './forget-words.ts';
import { issuePermit } from './permit.ts';
import type { Judged } from './prepare.ts';
import type { Room } from './room.ts';
import { taint } from './taint-store.ts';

type Going = {
  callId: string;
  principal: Principal;
  judged: Judged;
  client: Permit['client'];
  approval: ReturnType<typeof approvalOf> | undefined;
};

/** Sends an allowed call on, with its permit. A tool that reads text from strangers taints the key first. */
export async function goOn(
  room: Room,
  { callId, principal, judged, client, approval }: Going,
  context: AnswerContext,
): Promise<typeof forwarded> {
  const { tool, args, site } = judged;
  await taintByResult(room, principal, judged);
  if (tool.name === 'delete_comment' && site) await forgetComment(room.database, site.id, String(args.comment));
  if (context.signal.aborted) throw fail('deadline_exceeded_not_applied');
  const permit = issuePermit(room, {
    callId,
    principal,
    judged,
    answerTo: context.answerTo,
    ...(client && { client }),
    ...(approval && { approval }),
  });
  return context.forward(run[tool.pool], { permit, arguments: args }, 'tool_unavailable');
}

/** Comes before a result that may carry text from strangers is on its way, whether it is new or stored. */
export async function taintByResult(room: Room, principal: Principal, { tool, standing }: Judged): Promise<void> {
  if (tool.untrusted) await taint(room.database, principal, standing.rules.taintMinutes);
}

/** What a permit says about the approval that it is given under. */
export function approvalOf({ id, decidedVia, decidedBy, base }: Approval) {
  return { id, channel: decidedVia ?? 'studio', decidedBy: decidedBy ?? '', base } satisfies Permit['approval'] & {
    base: Permit['base'];
  };
}
