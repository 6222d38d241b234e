import { type AuditEvent, deploymentChain } from '@cloudhal/shared/audit-event';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { auditEvent } from '@cloudhal/shared/outbox';
import type { Principal } from '@cloudhal/shared/policy';
import { appendEvents } from './append.ts';
import { ownService } from './entry.ts';

/** A page that refreshes itself is one reading, not one a second. */
const sameReadingMs = 60_000;
const mostReadings = 1_000;

export type Readings = (principal: Principal, filter: { cursor?: string; limit?: number }) => Promise<void>;

/** Records who reads the record, and what they ask it for, before they get an answer. */
export function readingRecorder(database: Database): Readings {
  const recent = new Map<string, number>();
  return async (principal, { cursor: _, limit: __, ...asked }) => {
    const key = JSON.stringify([principal.id, asked]);
    const now = performance.now();
    if (now - (recent.get(key) ?? Number.NEGATIVE_INFINITY) < sameReadingMs) return;
    await recordOrRefuse(database, readingEvent('audit.read', principal, asked));
    recent.delete(key);
    recent.set(key, now);
    if (recent.size > mostReadings) recent.delete(recent.keys().next().value!);
  };
}

/** Records who takes a part of the record with them, before they get it. */
export function recordExport(database: Database, principal: Principal, asked: object): Promise<void> {
  return recordOrRefuse(database, readingEvent('audit.export', principal, asked));
}

async function recordOrRefuse(database: Database, event: AuditEvent): Promise<void> {
  try {
    await appendEvents(database, event);
  } catch (error) {
    throw Object.assign(fail('audit_unavailable'), { cause: error });
  }
}

function readingEvent(type: string, { id, kind, name }: Principal, asked: object): AuditEvent {
  return auditEvent(ownService, {
    type,
    site: deploymentChain,
    actor: { type: kind, id, name },
    details: asked,
  });
}
