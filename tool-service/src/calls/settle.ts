import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { Queryable } from '@cloudhal/shared/database';
import type { ErrorBody } from '@cloudhal/shared/errors';
import type { ToolResult } from '@cloudhal/shared/tool';
import { must, type Step } from '../graph/steps.ts';

/**
 * Ends a call well, together with its change: the fence. A call that was given up, or whose deadline has passed, changes
 * nothing any more. Fails as `fenced`.
 */
export function succeedStep(callId: string, ended: { result: ToolResult; snapshot?: string; event: AuditEvent }): Step {
  return {
    text: `WITH ended AS (
         UPDATE tools.calls SET state = 'succeeded', ended_at = clock_timestamp(), snapshot = $2, result = $3
         WHERE call_id = $1 AND state = 'attempted' AND deadline > clock_timestamp() RETURNING 1
       ), recorded AS (
         INSERT INTO tools.outbox (event_id, event) SELECT $4::uuid, $5::jsonb FROM ended
       )
       SELECT ${must('count(*) = 1', 'fenced')} FROM ended`,
    values: [
      callId,
      ended.snapshot ?? null,
      JSON.stringify(ended.result),
      ended.event.event_id,
      JSON.stringify(ended.event),
    ],
    name: 'call_succeeded',
  };
}

/** Ends a call that changed nothing, once; says whether it was still open. */
export async function endWithout(
  sql: Queryable,
  callId: string,
  ended: { state: 'failed' | 'aborted'; error?: ErrorBody; crashed: boolean; event: AuditEvent },
): Promise<boolean> {
  const rows = await sql.query(
    `WITH ended AS (
       UPDATE tools.calls SET state = $2, ended_at = clock_timestamp(), error = $3, crashed = $4
       WHERE call_id = $1 AND state = 'attempted' RETURNING 1
     )
     INSERT INTO tools.outbox (event_id, event) SELECT $5::uuid, $6::jsonb FROM ended RETURNING 1`,
    [
      callId,
      ended.state,
      ended.error ? JSON.stringify(ended.error) : null,
      ended.crashed,
      ended.event.event_id,
      JSON.stringify(ended.event),
    ],
    { name: 'call_ended' },
  );
  return rows.length > 0;
}
