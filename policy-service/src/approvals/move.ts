import { type AuditEvent, deploymentChain } from '@cloudhal/shared/audit-event';
import type { Queryable } from '@cloudhal/shared/database';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import { serviceName } from '../record.ts';
import type { Tx } from '../room.ts';
import { type Approval, type ApprovalState, approvalColumns, type Channel, endStates } from './approval.ts';

export type Move = {
  from: readonly ApprovalState[];
  to: ApprovalState;
  /** Whose doing it is. */
  actor: AuditEvent['actor'];
  callId?: string;
  /** Only where the store's clock says that it has not expired. */
  unexpired?: boolean;
  decided?: { by: string; via: Channel; reason?: string };
  /** From now. */
  expiresInMs?: number;
  /** Only for the call that it was consumed by. */
  ofCall?: string;
  /** Why, for the record. */
  note?: string;
};

/**
 * The only way an approval changes its state: one compare-and-set on its row, and its line of the record in the same
 * transaction. `undefined`: somebody else was first.
 */
export async function move(tx: Tx, id: string, step: Move): Promise<Approval | undefined> {
  const { from, to, decided } = step;
  const [approval] = await tx.query<Approval>(
    `UPDATE policy.approval SET state = $3,
       sealed_args = CASE WHEN $3 = ANY($4::text[]) THEN NULL ELSE sealed_args END,
       decided_by = coalesce($5, decided_by),
       decided_via = coalesce($6, decided_via),
       decided_at = CASE WHEN $5::text IS NULL THEN decided_at ELSE clock_timestamp() END,
       reject_reason = coalesce($7, reject_reason),
       channels = CASE WHEN $6::text IS NULL THEN channels ELSE array_append(channels, $6) END,
       consumed_call_id = CASE $3 WHEN 'consumed' THEN $8 WHEN 'approved' THEN NULL ELSE consumed_call_id END,
       consumed_at = CASE $3 WHEN 'consumed' THEN clock_timestamp() WHEN 'approved' THEN NULL ELSE consumed_at END,
       expires_at = CASE WHEN $9::float8 IS NULL THEN expires_at
         ELSE clock_timestamp() + $9::float8 * interval '1 millisecond' END
     WHERE id = $1 AND state = ANY($2::text[]) AND (NOT $10 OR expires_at > clock_timestamp())
       AND ($11::text IS NULL OR consumed_call_id = $11)
     RETURNING ${approvalColumns}`,
    [
      id,
      from,
      to,
      endStates,
      decided?.by ?? null,
      decided?.via ?? null,
      decided?.reason ?? null,
      step.callId ?? null,
      step.expiresInMs ?? null,
      step.unexpired ?? false,
      step.ofCall ?? null,
    ],
    { name: 'policy.approval.move' },
  );
  if (approval === undefined) return undefined;
  await putInOutbox(tx, 'policy', moveEvent(approval, step));
  tx.moved.push({ id, state: to });
  return approval;
}

/** Reads one approval; locks it where a decision on it follows. */
export async function readApproval(
  sql: Queryable,
  id: string,
  options: { lock?: boolean } = {},
): Promise<(Approval & { now: Date }) | undefined> {
  const [approval] = await sql.query<Approval & { now: Date }>(
    `SELECT ${approvalColumns}, clock_timestamp() AS now FROM policy.approval WHERE id = $1${options.lock ? ' FOR UPDATE' : ''}`,
    [id],
  );
  return approval;
}

function moveEvent(approval: Approval, { from, to, actor, callId, decided, note }: Move): AuditEvent {
  const reopened = to === 'approved' && from.includes('consumed');
  return approvalEvent(approval, reopened ? 'reopened' : to, actor, {
    ...(callId !== undefined && { call_id: callId }),
    ...(decided && {
      approval: {
        id: approval.id,
        channel: decided.via,
        decided_by: decided.by,
        ...(decided.reason !== undefined && { reason: decided.reason }),
      },
    }),
    ...(note !== undefined && { note }),
  });
}

export function approvalEvent(
  approval: Approval,
  what: string,
  actor: AuditEvent['actor'],
  more: Partial<AuditEvent> = {},
): AuditEvent {
  return auditEvent(serviceName, {
    type: `approval.${what}`,
    site: approval.site || deploymentChain,
    actor,
    ...(approval.skill && { skill: approval.skill }),
    tool: approval.tool,
    mode: approval.mode,
    args_hash: approval.argumentsHash,
    approval: { id: approval.id },
    details: { principal: approval.principal.id },
    ...more,
  });
}
