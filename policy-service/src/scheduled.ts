import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import { type Permit, signPermit, verifyPastPermit } from '@cloudhal/shared/permit';
import { policyVersion } from './deps.ts';
import { higher } from './effective-mode.ts';
import { isOpen, opensAt } from './publishing-window.ts';
import { actorOf, serviceName } from './record.ts';
import { change, type Room } from './room.ts';
import { readStanding } from './standing.ts';

type Due = Permit & { site: string };

/**
 * A scheduled release goes live with the authority that it was scheduled with, as far as that still holds: the key is
 * there, an elevation that let it through is still granted, the content is what was decided on, and what was let through
 * without a person finds the window open.
 */
export async function decideOnScheduled(
  room: Room,
  { callId, permit: past, diff }: { callId: string; permit: string; diff: string },
): Promise<{ permit: string }> {
  const permit = verifyPastPermit(past, room.permits);
  if (!isSchedule(permit)) throw fail('permit_invalid');
  try {
    await mustStillHold(room, permit, callId, diff);
  } catch (error) {
    if (error instanceof CloudhalError && error.status < 500) await recordRefused(room, permit, callId, error);
    throw error;
  }
  const { idempotencyKey: _, ...rest } = permit;
  return { permit: signPermit({ ...rest, callId, rule: 'scheduled', policyVersion }, room.signer) };
}

function isSchedule(permit: Permit): permit is Due {
  return permit.tool === 'schedule_release' && permit.site !== undefined;
}

async function mustStillHold(room: Room, permit: Due, callId: string, diff: string): Promise<void> {
  const { principal, site, tool, argumentsHash, rule, base, mode } = permit;
  // Also where its rights were changed: what it may do now is only known when it calls.
  const { revoked, outdated } = await room.keys.read(principal);
  const left = principal.kind === 'person' && (await room.keys.isRevoked(principal.id));
  if (revoked || outdated || left) throw fail('approval_revoked');
  if (base?.diff !== diff) throw fail('digest_moved');
  const { now, rules, elevation } = await readStanding(room.database, {
    callId,
    principal,
    site,
    tool,
    argumentsHash,
  });
  const isGranted = elevation !== undefined && higher(elevation.mode, mode) === elevation.mode;
  if (permit.elevated && !isGranted) throw fail('approval_revoked');
  const { publishingWindow } = rules;
  // The time that a person approved is theirs to choose.
  if (rule === 'small-publish' && publishingWindow && !isOpen(publishingWindow, now)) {
    throw fail('outside_window', { opens: opensAt(publishingWindow, now)?.toISOString() ?? 'at no time' });
  }
}

async function recordRefused(room: Room, permit: Due, callId: string, error: CloudhalError): Promise<void> {
  const event = auditEvent(serviceName, {
    type: 'decision',
    call_id: callId,
    site: permit.site,
    actor: actorOf(permit.principal),
    tool: permit.tool,
    mode: permit.mode,
    args_hash: permit.argumentsHash,
    decision: { result: 'deny', rule: 'scheduled', policy_version: policyVersion },
    outcome: { state: 'denied', code: error.code },
  });
  await change(room, (tx) => putInOutbox(tx, 'policy', event));
}
