import type { AuditEvent } from '@cloudhal/shared/audit-event';
import { canonicalJson } from '@cloudhal/shared/canonical-json';
import { redact } from '@cloudhal/shared/log';

/**
 * An event without anything that has the shape of a credential, and its canonical JSON. Services leave these out themselves;
 * here it is looked at once more, since nothing can be taken out of the chain later.
 */
export function redactEvent(event: AuditEvent): { event: AuditEvent; body: string } {
  const { permit, rest } = withoutPermit(event);
  const checked = canonicalJson(rest);
  if (redact(checked) === checked) return { event, body: permit === undefined ? checked : canonicalJson(event) };
  let redacted = redactValue(rest) as AuditEvent;
  if (permit !== undefined) redacted = { ...redacted, details: { ...(redacted.details as object), permit } };
  return { event: redacted, body: canonicalJson(redacted) };
}

/** The permit that a call ran with is the proof that it was allowed. It has the shape of a credential and is one for seconds only. */
function withoutPermit(event: AuditEvent): { permit?: string; rest: AuditEvent } {
  const { details } = event;
  if (typeof details !== 'object' || details === null || !('permit' in details)) return { rest: event };
  const { permit, ...rest } = details;
  return typeof permit === 'string' ? { permit, rest: { ...event, details: rest } } : { rest: event };
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [redact(name), redactMember(name, member)]));
}

/** A member may be secret by its name alone. */
function redactMember(name: string, member: unknown): unknown {
  if (typeof member === 'boolean' || member === null) return member;
  const probe = JSON.stringify({ [name]: typeof member === 'number' ? 1 : 'x' });
  return redact(probe) === probe ? redactValue(member) : '[redacted]';
}
