import { presentPrincipal } from '@cloudhal/shared/contracts';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import { type Permit, signPermit, verifyPastPermit } from '@cloudhal/shared/permit';
import { intersectScopes, type Mode, modeAtMost, type Principal, type Scope } from '@cloudhal/shared/policy';
import { policyVersion } from './deps.ts';
import { effectiveMode, higher } from './effective-mode.ts';
import { bearerOf } from './permit.ts';
import { isOpen, opensAt } from './publishing-window.ts';
import { actorOf, serviceName } from './record.ts';
import { change, type Room } from './room.ts';
import { heldScopes, missingScope } from './scopes.ts';
import type { SiteRules } from './site-rules.ts';
import { readStanding } from './standing.ts';

type Due = Permit & { site: string };

/** What would go live now. */
type Found = { diff: string; nodes: number };

const askGatewayMs = 2_000;

/**
 * A scheduled release goes live with the authority that it was scheduled with, as far as that still holds: whoever
 * scheduled it is there and may still do so, an elevation that let it through is still granted, the content is what was
 * decided on, and what was let through without a person finds the window open and is small by the rule of today. Text from strangers that the key read since
 * changes nothing: time and content stand from before.
 */
export async function decideOnScheduled(
  room: Room,
  { callId, permit: past, ...found }: { callId: string; permit: string } & Found,
): Promise<{ permit: string }> {
  const permit = verifyPastPermit(past, room.permits);
  if (!isSchedule(permit)) throw fail('permit_invalid');
  try {
    const holder = await mustStillHold(room, permit, callId, found);
    const { idempotencyKey: _, ...rest } = permit;
    return { permit: signPermit({ ...rest, ...holder, callId, rule: 'scheduled', policyVersion }, room.signer) };
  } catch (error) {
    if (error instanceof CloudhalError && error.status < 500) await recordRefused(room, permit, callId, error);
    throw error;
  }
}

function isSchedule(permit: Permit): permit is Due {
  return permit.tool === 'schedule_release' && permit.site !== undefined;
}

/** Throws where it does not; else who the release runs as, with the rights of today. */
async function mustStillHold(
  room: Room,
  permit: Due,
  callId: string,
  { diff, nodes }: Found,
): Promise<Pick<Permit, 'principal' | 'scopes' | 'sites'>> {
  const { principal, site, tool, argumentsHash, rule, base, mode } = permit;
  const { ownMode, ...holder } = await holderNow(room, permit);
  if (base?.diff !== diff) throw fail('digest_moved');
  const { now, rules, elevation } = await readStanding(room.database, {
    callId,
    principal: { ...principal, mode: ownMode },
    site,
    tool,
    argumentsHash,
  });
  const isGranted = elevation !== undefined && higher(elevation.mode, mode) === elevation.mode;
  if (permit.elevated && !isGranted) throw fail('approval_revoked');
  // Time and size that a person approved were theirs to choose.
  if (rule === 'small-publish') mustStillBeSmall(nodes, rules, now);
  return holder;
}

function mustStillBeSmall(nodes: number, { publishingWindow, smallPublishNodes }: SiteRules, now: Date): void {
  if (publishingWindow && !isOpen(publishingWindow, now)) {
    throw fail('outside_window', { opens: opensAt(publishingWindow, now)?.toISOString() ?? 'at no time' });
  }
  if (nodes > smallPublishNodes) {
    throw fail('limit_exceeded', { what: 'A release that no person approved', max: `${smallPublishNodes} nodes` });
  }
}

/** The gateway says who they are now, from its database; without its answer nothing goes live. */
async function holderNow(
  room: Room,
  permit: Due,
): Promise<Pick<Permit, 'principal' | 'scopes' | 'sites'> & { ownMode: Mode }> {
  const { principal, scopes, sites } = permit;
  // The developer at this machine is whoever runs it.
  if (principal.kind === 'local') return { principal, scopes, sites, ownMode: permit.mode };
  const { principal: signed } = await room.bus
    .request(presentPrincipal, { id: principal.id }, { timeoutMs: askGatewayMs })
    .catch(() => {
      throw fail('policy_unavailable');
    });
  const now = signed === undefined ? undefined : room.readPrincipal(signed);
  const { scopes: needed } = await room.tools.find(permit.tool);
  if (now?.id !== principal.id || !mayStill(now, permit, needed)) throw fail('approval_revoked');
  return {
    principal: bearerOf(now),
    scopes: intersectScopes(scopes, heldScopes(now)),
    sites: now.sites,
    ownMode: now.mode,
  };
}

function mayStill(now: Principal, permit: Due, needed: readonly Scope[]): boolean {
  const { principal, site, mode, elevated, approval } = permit;
  const present = effectiveMode(now, undefined, false);
  // What a person approved needs a mode that may ask a person; an elevation is looked at by itself.
  const isModeEnough = elevated || (approval ? present !== 'plan' : modeAtMost(mode, present) === mode);
  return (
    now.owner === principal.owner &&
    (now.sites === '*' || now.sites.includes(site)) &&
    missingScope(heldScopes(now), needed) === undefined &&
    isModeEnough
  );
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
