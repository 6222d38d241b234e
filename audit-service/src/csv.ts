import type { AuditEvent } from '@cloudhal/shared/audit-event';
import { plainText } from './report.ts';

const columns: [name: string, value: (event: Partial<AuditEvent>) => string | number | undefined][] = [
  ['ts', (event) => event.ts],
  ['type', (event) => event.type],
  ['actor', (event) => event.actor?.id],
  ['on_behalf_of', (event) => event.actor?.on_behalf_of],
  ['client', (event) => event.client?.name],
  ['tool', (event) => event.tool],
  ['mode', (event) => event.mode],
  ['decision', (event) => event.decision?.result],
  ['rule', (event) => event.decision?.rule],
  ['outcome', (event) => event.outcome?.state],
  ['code', (event) => event.outcome?.code],
  ['skill', (event) => event.skill?.name],
  ['snapshot', (event) => event.snapshot_id],
  ['approval', (event) => event.approval?.id],
  ['call', (event) => event.call_id],
  ['note', (event) => event.note],
  ['event', (event) => event.event_id],
];

export const csvHead = ['chain', 'seq', ...columns.map(([name]) => name)].join(',');

/** A line of CSV, for reading: it cannot be verified. */
export function csvLine(chain: string, seq: number, event: Partial<AuditEvent>): string {
  return [chain, seq, ...columns.map(([, value]) => value(event))].map(cell).join(',');
}

/** A spreadsheet must not take a cell for a formula, also one that parts cells at `;`, nor a line for two. */
function cell(value: string | number | undefined): string {
  const safe = plainText(String(value ?? '')).replace(/(^|;)(?=[\s"]*[=+\-@])/g, "$1'");
  return /[",]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
