import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditEvent } from './audit-event.ts';
import type { Bus, Stop } from './bus/bus.ts';
import { auditStream, events } from './contracts.ts';
import type { Database, Queryable } from './database.ts';
import { CloudhalError } from './errors.ts';
import { uuidv7 } from './ids.ts';
import type { Log } from './log.ts';
import type { Schema } from './migrate.ts';
import { tenant } from './policy.ts';

/** An event as a service writes it; the rest is the same for all. */
export type NewEvent = Omit<AuditEvent, 'v' | 'event_id' | 'tenant' | 'ts' | 'service'>;

export function auditEvent(service: string, event: NewEvent): AuditEvent {
  return storable({ v: 1, event_id: uuidv7(), tenant, ...event, ts: new Date().toISOString(), service });
}

/** With U+FFFD for NUL and half characters, which jsonb refuses: nothing that somebody sends keeps its line out of the record. */
function storable(event: AuditEvent): AuditEvent {
  const json = JSON.stringify(event);
  const clean = json.replace(/\\(?:u(?:0000|d[89a-f]..)|.)/g, (found) => (found.length > 2 ? '\ufffd' : found));
  return clean === json ? event : JSON.parse(clean);
}

/** Records events in the transaction that they are about: both are there, or neither. */
export async function putInOutbox(tx: Queryable, schema: Schema, ...events: AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `INSERT INTO ${schema}.outbox (event_id, event)
     SELECT (event->>'event_id')::uuid, event FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS t (event, n) ORDER BY n`,
    [JSON.stringify(events)],
    { name: `${schema}.outbox.put` },
  );
}

/** What the record does not hold yet. */
export async function outboxBacklog(database: Queryable, schema: Schema): Promise<{ rows: number; oldestMs: number }> {
  const [row] = await database.query<{ rows: number; oldest: number }>(
    `SELECT count(*) AS rows, coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 * 1000 AS oldest
     FROM (SELECT created_at FROM ${schema}.outbox WHERE archived_at IS NULL ORDER BY seq LIMIT 100001) AS waiting`,
  );
  return { rows: row?.rows ?? 0, oldestMs: row?.oldest ?? 0 };
}

/** Longer than archiving takes, and than a stream knows an id again. */
export const republishAfterMs = 60_000;

export type RelayOptions = {
  database: Database;
  schema: Schema;
  bus: Bus;
  log: Log;
  /** How often it looks for new rows when nobody wakes it; default 200. */
  pollMs?: number;
  /** After how long a row that was published and is not archived is published again; default `republishAfterMs`. */
  republishAfterMs?: number;
};

export type OutboxRelay = Stop & {
  /** Looks for new rows now; call it after a commit that added some. */
  wake(): void;
};

/**
 * Carries the outbox to audit-service. A row is done only when its archiving is confirmed; until then it is published
 * again and again, which is safe, since the archive knows each event by its id. Any number of relays share one outbox.
 */
export async function startOutboxRelay(options: RelayOptions): Promise<OutboxRelay> {
  const { database, schema, bus, log, pollMs = 200 } = options;
  const anewAfterMs = options.republishAfterMs ?? republishAfterMs;
  const stopping = new AbortController();
  let waker = new AbortController();

  // Marked all at once in the next round: most of what is archived is in no outbox, and a round is a part of a second.
  let archived: string[] = [];
  const unsubscribe = await bus.subscribe(events.auditArchived, ({ eventIds }) => {
    archived.push(...eventIds);
  });

  const running = run();

  async function run(): Promise<void> {
    let sweepAt = 0;
    let idleMs = pollMs;
    while (!stopping.signal.aborted) {
      waker = new AbortController();
      try {
        await mark();
        const sent = bus.connected() ? await relayBatch(database, schema, bus, log, anewAfterMs) : 0;
        if (Date.now() > sweepAt) {
          await deleteArchived(database, schema);
          sweepAt = Date.now() + 60_000;
        }
        if (sent === batchSize) continue;
        idleMs = sent > 0 ? pollMs : Math.min(idleMs * 2, 5 * pollMs);
        await pause(idleMs, [stopping.signal, waker.signal]);
      } catch (error) {
        log.warn({ err: error, schema }, 'the outbox could not be relayed');
        await pause(Math.max(5 * pollMs, 1_000), [stopping.signal]);
      }
    }
  }

  async function mark(): Promise<void> {
    const eventIds = archived;
    archived = [];
    // Where this fails the reconciler publishes them again, and is told again.
    if (eventIds.length > 0) await markArchived(database, schema, eventIds);
  }

  const stop = async () => {
    stopping.abort();
    await unsubscribe();
    await running;
    await mark().catch((error: unknown) => log.warn({ err: error, schema }, 'archived events could not be marked'));
  };
  return Object.assign(stop, { wake: () => waker.abort() });
}

const batchSize = 200;

/**
 * Publishes one batch and says how many rows that were. Rows are claimed by their time of publishing, in one statement,
 * so that no lock is held while the bus works; never by a cursor, since rows become visible out of order. A crash in
 * between leaves them claimed, and the reconciler publishes them later, with the same ids. What can never be sent stays
 * claimed, too, so that it does not hold up the others.
 */
async function relayBatch(
  database: Database,
  schema: Schema,
  bus: Bus,
  log: Log,
  anewAfterMs: number,
): Promise<number> {
  const rows = await database.query<{ seq: number; event_id: string; event: AuditEvent }>(
    `UPDATE ${schema}.outbox SET published_at = clock_timestamp() WHERE event_id IN
       (SELECT event_id FROM ${schema}.outbox
        WHERE archived_at IS NULL
          AND (published_at IS NULL OR published_at < clock_timestamp() - $1::float8 * interval '1 millisecond')
        ORDER BY seq LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)
     RETURNING seq, event_id, event`,
    [anewAfterMs],
    { name: `${schema}.outbox.claim` },
  );
  rows.sort((a, b) => a.seq - b.seq);
  const results = await Promise.allSettled(rows.map(({ event_id, event }) => bus.append(auditStream, event_id, event)));
  const failed: string[] = [];
  let reason: unknown;
  for (const [i, result] of results.entries()) {
    if (result.status === 'fulfilled') continue;
    const eventId = rows[i]!.event_id;
    if (result.reason instanceof CloudhalError) {
      log.error({ err: result.reason, schema, eventId }, 'an event that no bus carries stays in the outbox');
    } else {
      failed.push(eventId);
      reason ??= result.reason;
    }
  }
  if (failed.length === 0) return rows.length;
  await database.query(
    `UPDATE ${schema}.outbox SET published_at = NULL WHERE event_id = ANY($1::uuid[]) AND archived_at IS NULL`,
    [failed],
    { name: `${schema}.outbox.unclaim` },
  );
  throw reason;
}

async function markArchived(database: Database, schema: Schema, eventIds: string[]): Promise<void> {
  await database.query(
    `UPDATE ${schema}.outbox SET archived_at = clock_timestamp() WHERE event_id = ANY($1::uuid[]) AND archived_at IS NULL`,
    [eventIds],
    { name: `${schema}.outbox.archived` },
  );
}

async function deleteArchived(database: Database, schema: Schema): Promise<void> {
  await database.query(
    `DELETE FROM ${schema}.outbox WHERE event_id IN
       (SELECT event_id FROM ${schema}.outbox WHERE archived_at < clock_timestamp() - interval '1 day'
        LIMIT 5000 FOR UPDATE SKIP LOCKED)`,
  );
}

async function pause(ms: number, signals: AbortSignal[]): Promise<void> {
  await sleep(ms, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined);
}
