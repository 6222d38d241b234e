import { canonicalJson } from '@cloudhal/shared/canonical-json';
import type { Judged } from '../prepare.ts';
import type { Approval } from './approval.ts';
import type { Trust } from './trust.ts';

/** Whether what the person saw is still so: the same tool under the same skill, and the same state of what the call changes. */
export function isSameGround(
  approval: Approval,
  { tool, skill, assessment }: Pick<Judged, 'tool' | 'skill' | 'assessment'>,
): boolean {
  return (
    approval.schemaHash === tool.schemaHash &&
    approval.skill?.name === skill?.name &&
    approval.skill?.digest === skill?.digest &&
    canonicalJson(approval.base) === canonicalJson(assessment?.base ?? {})
  );
}

/** Whether an approval that was given and not used was given in a way that still counts. */
export function isStillTrusted({ decidedVia }: Approval, trust: Trust): boolean {
  if (decidedVia === 'studio') return true;
  return decidedVia === 'confirm_token' ? trust.tokens : !trust.personOnly;
}
