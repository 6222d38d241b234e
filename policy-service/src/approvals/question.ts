import type { ApprovalQuestion } from '@cloudhal/shared/contracts';
import type { Static } from 'typebox';
import type { Room } from '../room.ts';
import type { Approval } from './approval.ts';
import { sealPointer } from './tokens.ts';
import type { Trust } from './trust.ts';

/** What the client is given to ask with: the summary as it is kept, and tokens that point to the approval. */
export async function questionOf(
  room: Room,
  approval: Approval,
  { trust, canElicit, now }: { trust: Trust; canElicit: boolean; now: Date },
): Promise<Static<typeof ApprovalQuestion>> {
  const { tokenMs } = room.settings;
  const needsToken = !canElicit && trust.tokens;
  return {
    id: approval.id,
    summary: approval.summary,
    reason: approval.reason,
    expiresAt: approval.expiresAt.toISOString(),
    requestState: await sealPointer(room.ring, 'rs', approval, now, tokenMs),
    ...(needsToken && { confirmToken: await sealPointer(room.ring, 'ct', approval, now, tokenMs) }),
    personOnly: trust.personOnly,
  };
}
