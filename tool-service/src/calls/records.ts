import type { AuditEvent } from '@cloudhal/shared/audit-event';
import { deploymentChain } from '@cloudhal/shared/audit-event';
import type { ErrorCode } from '@cloudhal/shared/errors';
import { auditEvent, type NewEvent } from '@cloudhal/shared/outbox';
import type { Permit } from '@cloudhal/shared/permit';
import type { ToolFacts } from '@cloudhal/shared/tool';
import type { Target } from '../graph/mutate.ts';
import { redact, redactNote } from './redact.ts';

/** What every line of the record says about a call; kept with it, for whoever writes its outcome. */
export type Origin = Omit<NewEvent, 'type'>;

export function originOf(permit: Permit, facts: ToolFacts, args: Record<string, unknown>): Origin {
  const { principal, approval, skill, client } = permit;
  return {
    call_id: permit.callId,
    site: permit.site ?? deploymentChain,
    actor: {
      type: principal.kind,
      id: principal.id,
      name: principal.name,
      ...(principal.keyId !== undefined && { key_id: principal.keyId }),
      ...(principal.keyGeneration !== undefined && { key_gen: principal.keyGeneration }),
      ...(principal.owner !== undefined && { on_behalf_of: principal.owner }),
    },
    ...(client && { client }),
    ...(skill && { skill }),
    tool: facts.name,
    mode: permit.mode,
    ...(approval && { approval: { id: approval.id, channel: approval.channel, decided_by: approval.decidedBy } }),
    args_hash: permit.argumentsHash,
    ...(typeof args.note === 'string' && { note: redactNote(args.note) }),
  };
}

/** What was allowed, and by what. The signed permit goes along as the proof. */
function allowed(permit: Permit, facts: ToolFacts, args: Record<string, unknown>, token: string): Partial<NewEvent> {
  return {
    scopes_used: facts.scopes,
    decision: { result: 'allow', rule: permit.rule, policy_version: permit.policyVersion },
    args_redacted: redact(args),
    details: { permit: token },
  };
}

export function attemptedEvent(
  origin: Origin,
  permit: Permit,
  facts: ToolFacts,
  args: Record<string, unknown>,
  token: string,
): AuditEvent {
  return auditEvent('tool-service', { ...origin, ...allowed(permit, facts, args, token), type: 'attempted' });
}

export type Outcome = { state: string; code?: ErrorCode; startedAt?: number };

/** A read is one line: what was asked, and how it went. */
export function readEvent(
  origin: Origin,
  permit: Permit,
  facts: ToolFacts,
  args: Record<string, unknown>,
  token: string,
  outcome: Outcome,
): AuditEvent {
  return auditEvent('tool-service', {
    ...origin,
    ...allowed(permit, facts, args, token),
    type: 'read',
    outcome: stated(outcome),
  });
}

// A line of the record stays readable; how many there were is said all the same.
const mostTargets = 200;

export function outcomeEvent(
  origin: Origin,
  outcome: Outcome,
  made: { snapshot?: string; targets?: Target[] } = {},
): AuditEvent {
  const targets = made.targets ?? [];
  return auditEvent('tool-service', {
    ...origin,
    type: 'outcome',
    ...(targets.length > 0 && { targets: targets.slice(0, mostTargets) }),
    ...(made.snapshot !== undefined && { snapshot_id: made.snapshot }),
    outcome: stated(outcome),
    ...(targets.length > mostTargets && { details: { targets: targets.length } }),
  });
}

function stated({ state, code, startedAt }: Outcome) {
  return {
    state,
    ...(code !== undefined && { code }),
    ...(startedAt !== undefined && { duration_ms: Math.round((performance.now() - startedAt) * 10) / 10 }),
  };
}
