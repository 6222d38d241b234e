import { fail } from '@cloudhal/shared/errors';
import { signPermit, verifyPastPermit } from '@cloudhal/shared/permit';
import { policyVersion } from './deps.ts';
import { isOpen } from './publishing-window.ts';
import type { Room } from './room.ts';
import { readStanding } from './standing.ts';

/**
 * A scheduled release goes live with the authority that it was scheduled with, as far as that still holds: the key is
 * there, the content is what was decided on, and what was let through without a person finds the window open.
 */
export async function decideOnScheduled(
  room: Room,
  { callId, permit: past, diff }: { callId: string; permit: string; diff: string },
): Promise<{ permit: string }> {
  const permit = verifyPastPermit(past, room.permits);
  const { principal, site, tool } = permit;
  if (tool !== 'schedule_release' || site === undefined) throw fail('permit_invalid');
  if (principal.keyId !== undefined && (await room.keys.isRevoked(principal.keyId))) throw fail('approval_revoked');
  if (permit.base?.diff !== diff) throw fail('digest_moved');
  const { now, rules } = await readStanding(room.database, {
    callId,
    principalId: principal.id,
    site,
    tool,
    argumentsHash: permit.argumentsHash,
  });
  const { publishingWindow } = rules;
  if (permit.rule === 'small-publish' && publishingWindow && !isOpen(publishingWindow, now)) {
    throw fail('outside_window', { opens: 'later' });
  }
  const { idempotencyKey: _, ...rest } = permit;
  return { permit: signPermit({ ...rest, callId, rule: 'scheduled', policyVersion }, room.signer) };
}
