import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { AuditEvent, deploymentChain } from '@cloudhal/shared/audit-event';
import type { StreamRecord } from '@cloudhal/shared/bus/bus';
import { canonicalJson } from '@cloudhal/shared/canonical-json';
import { CloudhalError } from '@cloudhal/shared/errors';
import { redact } from '@cloudhal/shared/log';
import { tenant } from '@cloudhal/shared/policy';
import { compile } from '@cloudhal/shared/schema';
import { shortText } from './columns.ts';

/** A record on its way into a chain. */
export type Entry = {
  chain: string;
  event: AuditEvent;
  /** Its canonical JSON. */
  text: string;
  /** SHA-256 of the record as it came: two records with one event id and different digests contradict each other. */
  digest: Buffer;
  /** Set where the record itself could not be taken: `event` then tells of it, and this is kept beside the chain. */
  rejected?: Rejected;
};

export type Rejected = { recordId: string; reason: string; raw: string };

const checkEvent: (value: unknown) => asserts value is AuditEvent = compile<AuditEvent>(AuditEvent);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const chainName = /^[A-Za-z0-9_-][\w.-]{0,99}$/;
const keptLength = 16_384;
export const ownService = 'audit-service';

/** What to append for a record: its event, or an `integrity.invalid` event that carries the record's hash. */
export function entryOf({ id, record }: StreamRecord<unknown>): Entry {
  try {
    checkEvent(record);
    // What this service says of the record itself, nobody else can say.
    if (record.service === ownService) return invalid(id, record, `only ${ownService} itself writes in its name`);
    return entryOfEvent(record);
  } catch (error) {
    return invalid(id, record, error instanceof CloudhalError ? error.message : 'it has no canonical form');
  }
}
/** What to append for an event of this service's own, or one that was checked. */
export function entryOfEvent(event: AuditEvent): Entry {
  if (!uuid.test(event.event_id)) return invalid(event.event_id, event, 'event_id is not a UUID');
  if (!chainName.test(event.site)) return invalid(event.event_id, event, 'site cannot name a chain');
  if (!isTime(event.ts)) return invalid(event.event_id, event, 'ts is not a time');
  const text = canonicalJson(event);
  return { chain: event.site, event, text, digest: sha256(text) };
}

/** The entry that stands for a record with an event id that another record has already. */
export function conflictOf(entry: Entry): Entry {
  const { chain, event, text, digest } = entry;
  const details = { event_id: event.event_id, sha256: digest.toString('hex') };
  const rejected = rejectedOf(event.event_id, 'another record has this event id', text);
  return { ...integrityEntry('integrity.conflict', chain, details), digest, rejected };
}

/** The entry that stands for a record that the store refuses for what is in it. */
export function refusedOf(entry: Entry): Entry {
  return invalid(entry.event.event_id, entry.event, 'the store refused it');
}

function invalid(recordId: string, record: unknown, reason: string): Entry {
  const raw = rawOf(record);
  const digest = sha256(raw);
  const details = { record_id: shortText(recordId), sha256: digest.toString('hex'), reason };
  const entry = integrityEntry('integrity.invalid', deploymentChain, details);
  return { ...entry, digest, rejected: rejectedOf(recordId, reason, raw) };
}

function rawOf(record: unknown): string {
  try {
    return JSON.stringify(record) ?? String(record);
  } catch {
    // Nested too deep for a recursive writer.
    return inspect(record, { depth: 64 });
  }
}

function rejectedOf(recordId: string, reason: string, raw: string): Rejected {
  return { recordId: shortText(recordId), reason, raw: shortText(redact(raw), keptLength) };
}

/** Its id follows from what it tells, so that a redelivered record is not told of twice. */
function integrityEntry(type: string, site: string, details: Record<string, string>): Omit<Entry, 'digest'> {
  const event: AuditEvent = {
    v: 1,
    event_id: uuidOf(sha256(canonicalJson({ type, site, ...details }))),
    type,
    tenant,
    site,
    actor: { type: 'service', id: ownService },
    details,
    ts: new Date().toISOString(),
    service: ownService,
  };
  return { chain: site, event, text: canonicalJson(event) };
}

/** Version 8 of RFC 9562: a UUID of one's own making. */
function uuidOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
