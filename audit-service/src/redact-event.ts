import type { AuditEvent } from '@cloudhal/shared/audit-event';
import { canonicalJson } from '@cloudhal/shared/canonical-json';
import { redact } from '@cloudhal/shared/log';

/**
 * An event without anything that has the shape of a credential, and its canonical JSON, which is `text` where there was
 * nothing to take out. Services leave credentials out themselves; here it is looked at once more, since nothing can be
 * taken out of the chain later.
 */
export function redactEvent(event: AuditEvent, text: string): { event: AuditEvent; body: string } {
  const permit = permitOf(event);
  const checked = permit === undefined ? text : text.replace(permit, '').replace('"permit":""', '');
  if (redact(checked) === checked) return { event, body: text };
  const redacted = redactValue(event) as AuditEvent;
  if (permit !== undefined) redacted.details = { ...(redacted.details as object), permit };
  return { event: redacted, body: canonicalJson(redacted) };
}

/** The permit that a call ran with is the proof that it was allowed. It looks like a credential, and was one for seconds. */
function permitOf({ details }: AuditEvent): string | undefined {
  const permit = typeof details === 'object' && details !== null && 'permit' in details ? details.permit : undefined;
  return typeof permit === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(permit) ? permit : undefined;
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
