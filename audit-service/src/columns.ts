import type { AuditEvent } from '@cloudhal/shared/audit-event';

/** What the record is searched by: copies of parts of an event. `verify` holds them against the event itself. */
export type Columns = Record<(typeof columnNames)[number], string | null>;

export const columnNames = [
  'type',
  'call_id',
  'actor',
  'behalf',
  'tool',
  'skill',
  'decision',
  'outcome',
  'code',
  'snapshot',
] as const;

export function columnsOf(event: AuditEvent): Columns {
  return {
    type: column(event.type),
    call_id: column(event.call_id),
    actor: column(event.actor.id),
    behalf: column(event.actor.on_behalf_of),
    tool: column(event.tool),
    skill: column(event.skill?.name),
    decision: column(event.decision?.result),
    outcome: column(event.outcome?.state),
    code: column(event.outcome?.code),
    snapshot: column(event.snapshot_id),
  };
}

function column(value: string | undefined): string | null {
  return value === undefined ? null : shortText(value);
}

/** As a text column with an index can hold it: no NUL, not long, no half characters. */
export function shortText(value: string, max = 200): string {
  const text = value.replaceAll('\0', '').slice(0, max);
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text;
}

/** Milliseconds since 1970. */
export function timeOf(event: AuditEvent): number {
  return Date.parse(event.ts);
}
