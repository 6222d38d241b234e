import { CloudhalError, fail } from '@cloudhal/shared/errors';
import type { Principal } from '@cloudhal/shared/policy';
import { deadlineIn } from './deadline.ts';
import { type Decision, decide } from './decide.ts';
import { judge, mustBeCurrent, prepare } from './prepare.ts';
import type { Room } from './room.ts';
import { defaultSiteRules } from './site-rules.ts';
import { taintedUntil } from './taint-store.ts';

export type Question = { tool: string; arguments?: Record<string, unknown>; skill?: unknown };
export type Explanation = {
  decision: Decision['decision'];
  rule: string;
  reasons: string[];
  code?: string;
  effect?: string;
  mode?: string;
};

/** What would become of a call: the same pipeline, with nothing stored, sent on or recorded. */
export async function explainCall(room: Room, principal: Principal, question: Question): Promise<Explanation> {
  try {
    const deadline = deadlineIn(room.settings.decideWithinMs);
    mustBeCurrent(await room.keys.read(principal));
    if (question.arguments === undefined) {
      return explained(await decideOnTool(room, principal, question));
    }
    const asked = { callId: '', principal, tool: question.tool, arguments: question.arguments, skill: question.skill };
    const prepared = await prepare(room, asked, deadline);
    return explained((await judge(room, asked, prepared, deadline)).decision);
  } catch (error) {
    if (!(error instanceof CloudhalError) || error.status >= 500) throw error;
    return { decision: 'deny', rule: 'call', reasons: [error.body.message], code: error.code };
  }
}

/** Without arguments: as far as the tool alone decides. A publish counts as one that is not small. */
async function decideOnTool(room: Room, principal: Principal, question: Question): Promise<Decision> {
  const tool = await room.tools.find(question.tool);
  const skill = await room.skills.declared(question.skill, 1_000);
  return decide({
    principal,
    tool,
    arguments: {},
    ...(skill && { skill }),
    rules: defaultSiteRules,
    tainted: (await taintedUntil(room.database, principal)) !== undefined,
    now: new Date(),
  });
}

function explained({ decision, rule, reasons, error, effect, mode }: Decision): Explanation {
  const code = decision === 'deny' ? (error ?? fail('internal')).code : 'approval_required';
  return { decision, rule, reasons, ...(decision !== 'allow' && { code }), effect, mode };
}
