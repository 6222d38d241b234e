import { type AuditEvent, deploymentChain } from '@cloudhal/shared/audit-event';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { auditEvent } from '@cloudhal/shared/outbox';
import type { Principal } from '@cloudhal/shared/policy';
import { appendEvents } from './append.ts';
import { ownService } from './entry.ts';
import type { Filter } from './search.ts';

/** A page that refreshes itself is one reading, not one a second. */
const sameReadingMs = 60_000;
const mostReadings = 1_000;

export type Readings = (principal: Principal, filter: Filter) => Promise<void>;

/** Records who reads the record, and what they ask it for, before they get an answer. */
export function readingRecorder(database: Database): Readings {
  const recent = new Map<string, number>();
  return async (principal, { cursor: _, limit: __, ...asked }) => {
    const key = JSON.stringify([principal.id, asked]);
    const now = performance.now();
    if (now - (recent.get(key) ?? Number.NEGATIVE_INFINITY) < sameReadingMs) return;
    try {
      await appendEvents(database, readingEvent(principal, asked));
    } catch (error) {
      throw Object.assign(fail('audit_unavailable'), { cause: error });
    }
    recent.delete(key);
    recent.set(key, now);
    if (recent.size > mostReadings) recent.delete(recent.keys().next().value!);
  };
}

function readingEvent({ id, kind, name }: Principal, asked: object): AuditEvent {
  return auditEvent(ownService, {
    type: 'audit.read',
    site: deploymentChain,
    actor: { type: kind, id, name },
    details: asked,
  });
}
