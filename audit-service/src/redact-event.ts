import type { AuditEvent } from '@cloudhal/shared/audit-event';
import { canonicalJson } from '@cloudhal/shared/canonical-json';
import { redact } from '@cloudhal/shared/log';

/**
 * An event without anything that has the shape of a credential, and its canonical JSON. Services leave these out themselves;
 * here it is looked at once more, since nothing can be taken out of the chain later.
 */
export function redactEvent(event: AuditEvent): { event: AuditEvent; body: string } {
  const body = canonicalJson(event);
  if (redact(body) === body) return { event, body };
  const redacted = redactValue(event) as AuditEvent;
  return { event: redacted, body: canonicalJson(redacted) };
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
