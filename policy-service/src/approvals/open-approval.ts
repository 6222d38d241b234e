import { canonicalJson, contentHash } from '@cloudhal/shared/canonical-json';
import type { Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { newId } from '@cloudhal/shared/ids';
import { putInOutbox } from '@cloudhal/shared/outbox';
import type { Principal } from '@cloudhal/shared/policy';
import { sealBox } from '@cloudhal/shared/sealed-box';
import { policyVersion } from '../deps.ts';
import type { Asked, Judged } from '../prepare.ts';
import { actorOf, ownActor } from '../record.ts';
import type { Room, Tx } from '../room.ts';
import { type Approval, approvalColumns } from './approval.ts';
import { isSameGround } from './ground.ts';
import { approvalEvent, move } from './move.ts';
import { summaryOfArguments } from './summary.ts';

export type Case = { asked: Pick<Asked, 'callId' | 'principal' | 'client'>; judged: Judged };

/** The context that arguments are sealed for. */
export function sealContext(id: string): string {
  return `policy.approval.arguments:${id}`;
}

/** Makes the approvals of one key wait for each other, so that they can be counted. */
export async function lockKey(tx: Tx, principal: Pick<Principal, 'id' | 'keyId'>): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('policy.approvals:' || $1, 0))`, [
    principal.keyId ?? principal.id,
  ]);
}

/** The approval of this very call that is open: waiting, or approved and not used. */
export async function findOpen(tx: Tx, { asked, judged }: Case): Promise<Approval | undefined> {
  await expireOverdue(tx, asked.principal.id);
  const [approval] = await tx.query<Approval>(
    `SELECT ${approvalColumns} FROM policy.approval
     WHERE principal_id = $1 AND tool = $2 AND args_hash = $3 AND site = $4 AND state IN ('pending', 'approved')
     FOR UPDATE`,
    [asked.principal.id, judged.tool.name, judged.argumentsHash, judged.site?.id ?? ''],
  );
  return approval;
}

/** Finds the approval that this call waits for, or makes one. One whose ground has moved is stale, and a new one takes its place. */
export async function openApproval(tx: Tx, room: Room, call: Case, found: Approval | undefined): Promise<Approval> {
  if (found?.state === 'pending' && isSameGround(found, call.judged)) return await renew(tx, found, call);
  if (found !== undefined) await close(tx, found, call);
  await mustHaveRoom(tx, room, call.asked.principal);
  return await insert(tx, room, call);
}

/** One key cannot fill the list of those who decide. */
export async function mustHaveRoom(sql: Queryable, room: Room, principal: Principal): Promise<void> {
  const { maxPending } = room.settings;
  if ((await countWaiting(sql, principal)) < maxPending) return;
  throw fail('rate_limited', { limit: `${maxPending} calls of this key already wait for a person`, retryAfter: 60 });
}

/** What is open and no longer good: moved on, or given in a way that does not count any more. */
async function close(tx: Tx, found: Approval, { judged }: Case): Promise<void> {
  const moved = !isSameGround(found, judged);
  await move(tx, found.id, {
    from: ['pending', 'approved'],
    to: moved ? 'stale' : 'revoked',
    actor: ownActor,
    note: moved ? 'what it was asked for has changed' : 'how it was answered does not count any more',
  });
}

/** The same request by the same principal, whose rights may have changed since. */
async function renew(tx: Tx, found: Approval, { asked, judged }: Case): Promise<Approval> {
  const [approval] = await tx.query<Approval>(
    `UPDATE policy.approval SET principal = $2, mode = $3, policy_version = $4, client = coalesce($5, client),
       idempotency_key = coalesce($6, idempotency_key)
     WHERE id = $1 RETURNING ${approvalColumns}`,
    [
      found.id,
      JSON.stringify(asked.principal),
      judged.decision.mode,
      policyVersion,
      asked.client ? JSON.stringify(asked.client) : null,
      judged.idempotencyKey ?? null,
    ],
  );
  return approval ?? found;
}

async function insert(tx: Tx, room: Room, { asked, judged }: Case): Promise<Approval> {
  const { principal } = asked;
  const id = newId('apr');
  const summary = judged.assessment?.summary ?? summaryOfArguments(judged);
  const [approval] = await tx.query<Approval>(
    `INSERT INTO policy.approval (id, principal_id, principal, key_id, site, tool, tool_schema_hash, args_hash,
       sealed_args, summary, summary_hash, reason, base, skill, mode, effect, policy_version, client, idempotency_key,
       state, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, 'pending',
       clock_timestamp() + $20::float8 * interval '1 millisecond')
     ON CONFLICT (principal_id, tool, args_hash, site) WHERE state IN ('pending', 'approved') DO NOTHING
     RETURNING ${approvalColumns}`,
    [
      id,
      principal.id,
      JSON.stringify(principal),
      principal.keyId ?? null,
      judged.site?.id ?? '',
      judged.tool.name,
      judged.tool.schemaHash,
      judged.argumentsHash,
      sealBox(room.kek, canonicalJson(judged.args), sealContext(id)),
      JSON.stringify(summary),
      contentHash(summary),
      judged.decision.reasons.join('; '),
      JSON.stringify(judged.assessment?.base ?? {}),
      skillOf(judged),
      judged.decision.mode,
      judged.decision.effect,
      policyVersion,
      asked.client ? JSON.stringify(asked.client) : null,
      judged.idempotencyKey ?? null,
      room.settings.pendingMs,
    ],
  );
  // A call that was given up has just handed its approval back; the next try finds that one.
  if (approval === undefined) throw fail('policy_unavailable');
  await putInOutbox(
    tx,
    'policy',
    approvalEvent(approval, 'requested', actorOf(principal), {
      call_id: asked.callId,
      details: { reason: approval.reason, summary_hash: contentHash(summary) },
    }),
  );
  tx.moved.push({ id, state: 'pending' });
  return approval;
}

async function countWaiting(sql: Queryable, { id, keyId }: Pick<Principal, 'id' | 'keyId'>): Promise<number> {
  const [row] = await sql.query<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM policy.approval WHERE state = 'pending' AND principal_id = $1
       AND key_id IS NOT DISTINCT FROM $2`,
    [id, keyId ?? null],
    { name: 'policy.approval.waiting' },
  );
  return row?.waiting ?? 0;
}

/** What the sweeper has not come to yet must not stand in the way. */
async function expireOverdue(tx: Tx, principalId: string): Promise<void> {
  const overdue = await tx.query<{ id: string }>(
    `SELECT id FROM policy.approval WHERE principal_id = $1 AND state IN ('pending', 'approved')
       AND expires_at <= clock_timestamp() FOR UPDATE SKIP LOCKED`,
    [principalId],
  );
  for (const { id } of overdue) {
    await move(tx, id, { from: ['pending', 'approved'], to: 'expired', actor: ownActor });
  }
}

function skillOf({ skill }: Judged): string | null {
  return skill ? JSON.stringify({ name: skill.name, digest: skill.digest }) : null;
}
