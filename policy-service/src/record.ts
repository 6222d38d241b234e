import { type AuditEvent, deploymentChain } from '@cloudhal/shared/audit-event';
import { cut } from '@cloudhal/shared/cut';
import type { Queryable } from '@cloudhal/shared/database';
import type { CloudhalError, ErrorBody } from '@cloudhal/shared/errors';
import { auditEvent, type NewEvent, putInOutbox } from '@cloudhal/shared/outbox';
import type { Principal } from '@cloudhal/shared/policy';
import type { Decision } from './decide.ts';
import { policyVersion } from './deps.ts';
import type { Prepared } from './prepare.ts';
import { change, type Room } from './room.ts';

export const serviceName = 'policy-service';

/** A call as far as it is known when something has to be said about it. */
export type Told = {
  callId: string;
  principal: Principal;
  tool: string;
  client?: { name?: string; version?: string };
  prepared?: Prepared;
  decision?: Decision;
};

export function actorOf(principal: Pick<Principal, 'id' | 'kind' | 'name' | 'owner' | 'keyId' | 'keyGeneration'>) {
  return {
    type: principal.kind,
    id: principal.id,
    name: principal.name,
    ...(principal.keyId !== undefined && { key_id: principal.keyId }),
    ...(principal.keyGeneration !== undefined && { key_gen: principal.keyGeneration }),
    ...(principal.owner !== undefined && { on_behalf_of: principal.owner }),
  } satisfies AuditEvent['actor'];
}

/** What this service does by itself: sweeping, settling. */
export const ownActor: AuditEvent['actor'] = { type: 'service', id: serviceName };

/** The line of the record about a call that was not simply allowed. */
export function decisionEvent(told: Told, result: string, more: Partial<NewEvent> = {}): AuditEvent {
  const { prepared, decision } = told;
  return auditEvent(serviceName, {
    type: 'decision',
    call_id: told.callId,
    site: prepared?.site?.id ?? deploymentChain,
    actor: actorOf(told.principal),
    ...(told.client && { client: told.client }),
    ...(prepared?.skill && { skill: { name: prepared.skill.name, digest: prepared.skill.digest } }),
    tool: cut(told.tool, 64),
    mode: decision?.mode ?? told.principal.mode,
    ...(prepared && { args_hash: prepared.argumentsHash, scopes_used: prepared.tool.scopes }),
    decision: { result, rule: decision?.rule ?? 'call', policy_version: policyVersion },
    ...(decision && { details: { reasons: decision.reasons } }),
    ...more,
  });
}

/**
 * Records a refusal, once for each call: the error of the first time is returned, so that a call which arrives twice is
 * told the same twice.
 */
export async function recordRefusal(tx: Queryable, told: Told, error: CloudhalError): Promise<ErrorBody> {
  const inserted = await tx.query(
    `INSERT INTO policy.decision (call_id, result, error) VALUES ($1, 'deny', $2)
     ON CONFLICT (call_id) DO NOTHING RETURNING call_id`,
    [told.callId, JSON.stringify(error.body)],
  );
  if (inserted.length > 0) {
    const outcome = { state: 'denied', code: error.code };
    await putInOutbox(tx, 'policy', decisionEvent(told, 'deny', { outcome }));
    return error.body;
  }
  const [row] = await tx.query<{ error: ErrorBody | null }>('SELECT error FROM policy.decision WHERE call_id = $1', [
    told.callId,
  ]);
  return row?.error ?? error.body;
}

/** Records that a call waits for a person, once for each call. */
export async function recordWaiting(tx: Queryable, told: Told, approvalId: string): Promise<void> {
  const inserted = await tx.query(
    `INSERT INTO policy.decision (call_id, result) VALUES ($1, 'person') ON CONFLICT (call_id) DO NOTHING
     RETURNING call_id`,
    [told.callId],
  );
  if (inserted.length > 0) {
    await putInOutbox(tx, 'policy', decisionEvent(told, 'person', { approval: { id: approvalId } }));
  }
}

/** Records that a call was answered with what an approval had been used for before. */
export async function recordStored(room: Room, told: Told, approvalId: string): Promise<void> {
  await change(room, (tx) =>
    putInOutbox(tx, 'policy', decisionEvent(told, 'stored', { approval: { id: approvalId } })),
  );
}
