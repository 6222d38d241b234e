import type { AuditEvent } from '@cloudhal/shared/audit-event';
import { contentHash } from '@cloudhal/shared/canonical-json';
import type { Queryable } from '@cloudhal/shared/database';
import { CloudhalError, type ErrorBody, fail } from '@cloudhal/shared/errors';
import type { Permit } from '@cloudhal/shared/permit';
import type { ToolResult } from '@cloudhal/shared/tool';
import type { Origin } from './records.ts';

export type CallState = 'attempted' | 'succeeded' | 'failed' | 'aborted';

export type Attempt = {
  permit: Permit;
  /** Seconds since 1970. */
  permitExpiry: number;
  idempotencyKey: string | undefined;
  budgetMs: number;
  origin: Origin;
  event: AuditEvent;
};

type Stored = {
  call_id: string;
  state: CallState;
  tool: string;
  args_hash: string;
  fingerprint: string;
  result: ToolResult | null;
  error: ErrorBody | null;
  old: boolean;
};

/** How often the same call may bring down its worker within a minute before it is held back. */
const mostCrashes = 3;

/**
 * Writes down that a call begins, with its line of the record, or says how it ended: a call id, and an idempotency key of a
 * principal, begin one call. The permit and everything else is judged by the store's clock.
 */
export async function recordAttempt(sql: Queryable, attempt: Attempt): Promise<{ repeated?: ToolResult }> {
  const { permit } = attempt;
  const fingerprint = contentHash([permit.tool, permit.site ?? null, permit.argumentsHash]);
  for (let forgotten = false; ; forgotten = true) {
    const verdict = await insert(sql, attempt, fingerprint);
    if (verdict.attempted > 0) return {};
    if (!verdict.valid) throw fail('permit_invalid');
    if (verdict.crashes >= mostCrashes) throw fail('tool_quarantined');
    const stored = await storedCall(sql, attempt);
    // The other call failed in the meantime and so gave its key back, or a key of long ago had to be forgotten first.
    if (!stored || (stored.old && !forgotten && (await forgetKey(sql, stored.call_id)))) {
      if (forgotten) throw fail('in_progress');
      continue;
    }
    return { repeated: repeat(stored, permit, fingerprint) };
  }
}

async function insert(sql: Queryable, attempt: Attempt, fingerprint: string) {
  const { permit, event } = attempt;
  const [verdict] = await sql.query<{ attempted: number; valid: boolean; crashes: number }>(
    `WITH crash AS (
       SELECT count(*) AS crashes FROM tools.calls
       WHERE crashed AND args_hash = $5 AND tool = $3 AND ended_at > clock_timestamp() - interval '60 seconds'
     ), attempt AS (
       INSERT INTO tools.calls (call_id, state, site_id, tool, principal, args_hash, fingerprint, idempotency_key, approval_id, origin, deadline)
       SELECT $1, 'attempted', $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + $10::float8 * interval '1 millisecond'
       WHERE to_timestamp($11::float8) > clock_timestamp() AND (SELECT crashes FROM crash) < ${mostCrashes}
       ON CONFLICT DO NOTHING RETURNING 1
     ), recorded AS (
       INSERT INTO tools.outbox (event_id, event) SELECT $12::uuid, $13::jsonb FROM attempt
     )
     SELECT (SELECT count(*) FROM attempt) AS attempted, to_timestamp($11::float8) > clock_timestamp() AS valid,
       (SELECT crashes FROM crash) AS crashes`,
    [
      permit.callId,
      permit.site ?? null,
      permit.tool,
      permit.principal.id,
      permit.argumentsHash,
      fingerprint,
      attempt.idempotencyKey ?? null,
      permit.approval?.id ?? null,
      JSON.stringify(attempt.origin),
      attempt.budgetMs,
      attempt.permitExpiry,
      event.event_id,
      JSON.stringify(event),
    ],
    { name: 'record_attempt' },
  );
  return verdict!;
}

async function storedCall(sql: Queryable, { permit, idempotencyKey }: Attempt): Promise<Stored | undefined> {
  const [stored] = await sql.query<Stored>(
    `SELECT call_id, state, tool, args_hash, fingerprint, result, error, created_at < clock_timestamp() - interval '24 hours' AS old
     FROM tools.calls WHERE call_id = $1 OR (principal = $2 AND idempotency_key = $3 AND state IN ('attempted', 'succeeded'))
     ORDER BY call_id = $1 DESC LIMIT 1`,
    [permit.callId, permit.principal.id, idempotencyKey ?? null],
  );
  return stored;
}

async function forgetKey(sql: Queryable, callId: string): Promise<boolean> {
  await sql.query('UPDATE tools.calls SET idempotency_key = NULL WHERE call_id = $1', [callId]);
  return true;
}

/** How a call that is not the first of its kind ends. */
function repeat(stored: Stored, permit: Permit, fingerprint: string): ToolResult {
  const same = stored.call_id === permit.callId;
  if (same && (stored.tool !== permit.tool || stored.args_hash !== permit.argumentsHash)) {
    // A tombstone knows no arguments: whatever comes late under its id is given up.
    if (stored.state !== 'aborted') throw fail('permit_invalid');
  }
  if (!same && stored.fingerprint !== fingerprint) throw fail('idempotency_conflict');
  return endOf(stored);
}

/** The stored end of a call, as its caller gets it. */
export function endOf(stored: { state: CallState; result: ToolResult | null; error: ErrorBody | null }): ToolResult {
  if (stored.state === 'succeeded' && stored.result) return stored.result;
  if (stored.state === 'attempted') throw fail('in_progress');
  throw stored.error ? new CloudhalError(stored.error) : fail('deadline_exceeded_not_applied');
}
