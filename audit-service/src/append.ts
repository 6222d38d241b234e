import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { StreamRecord } from '@cloudhal/shared/bus/bus';
import { canonicalJson } from '@cloudhal/shared/canonical-json';
import type { Database, Queryable } from '@cloudhal/shared/database';
import { eventHash, genesis } from './chain.ts';
import { columnNames, columnsOf, timeOf } from './columns.ts';
import { conflictOf, type Entry, entryOf, entryOfEvent, refusedOf } from './entry.ts';
import { hideNames } from './names.ts';
import { redactEvent } from './redact-event.ts';

/** Events in one transaction: enough that the commit hardly counts, few enough that a chain is not held for long. */
const batchSize = 200;

export type Appended = { events: number; repeated: number; rejected: number };

type Head = { part: string; seq: number; hash: Buffer };
type Line = Head & { entry: Entry; event: AuditEvent; prev: Buffer; body: string };

/** Appends events of the service's own. */
export async function appendEvents(database: Database, ...events: AuditEvent[]): Promise<void> {
  await appendAll(database, events.map(entryOfEvent));
}

/**
 * Appends records to their chains, each once however often it comes. What cannot be taken is kept in `audit.invalid`, with
 * an event that tells of it. Any number of processes may do so at once.
 */
export async function appendRecords(database: Database, records: readonly StreamRecord<unknown>[]): Promise<Appended> {
  return appendAll(database, records.map(entryOf));
}

async function appendAll(database: Database, entries: Entry[]): Promise<Appended> {
  let total: Appended = { events: 0, repeated: 0, rejected: 0 };
  for (let start = 0; start < entries.length; start += batchSize) {
    total = add(total, await appendEntries(database, entries.slice(start, start + batchSize)));
  }
  return total;
}

async function appendEntries(database: Database, entries: Entry[]): Promise<Appended> {
  try {
    return await database.transaction((tx) => appendBatch(tx, entries));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return appendOneByOne(database, entries, error);
  }
}

/** One record must not hold up the others: halve until it stands alone. */
async function appendOneByOne(database: Database, entries: Entry[], refusal: unknown): Promise<Appended> {
  const [first] = entries;
  if (first === undefined || (entries.length === 1 && first.rejected !== undefined)) throw refusal;
  if (entries.length === 1) return appendEntries(database, [refusedOf(first)]);
  const middle = entries.length >> 1;
  const left = await appendEntries(database, entries.slice(0, middle));
  const right = await appendEntries(database, entries.slice(middle));
  return add(left, right);
}

/** The store's verdict on what is in a record, which will be the same next time. */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === 'invalid_unicode' || code.startsWith('22') || code.startsWith('54');
}

function add(a: Appended, b: Appended): Appended {
  return { events: a.events + b.events, repeated: a.repeated + b.repeated, rejected: a.rejected + b.rejected };
}

async function appendBatch(tx: Queryable, entries: Entry[]): Promise<Appended> {
  // The heads first: what others append to these chains is visible from then on.
  const heads = await lockHeads(tx, [...new Set(entries.map((entry) => entry.chain))].sort());
  const fresh = await withoutRepeated(tx, entries);
  if (fresh.length === 0) return { events: 0, repeated: entries.length, rejected: 0 };
  const events = await hideNames(
    tx,
    fresh.map((entry) => entry.event),
  );
  const lines = fresh.map((entry, i) => chainUp(heads.get(entry.chain)!, entry, events[i]!));
  const rejected = lines.filter((line) => line.entry.rejected !== undefined);
  await Promise.all([
    insertEvents(tx, lines),
    insertIds(tx, lines),
    rejected.length > 0 && insertRejected(tx, rejected),
    updateHeads(tx, [...heads.values()]),
  ]);
  return { events: lines.length, repeated: entries.length - lines.length, rejected: rejected.length };
}

/** In the order of their names, so that two that append to several chains cannot wait for each other. */
async function lockHeads(tx: Queryable, chains: string[]): Promise<Map<string, Head>> {
  const lock = () =>
    tx.query<Head>('SELECT part, seq, hash FROM audit.head WHERE part = ANY($1) ORDER BY part FOR UPDATE', [chains], {
      name: 'audit.lock_heads',
    });
  let heads = await lock();
  if (heads.length < chains.length) {
    await tx.query('INSERT INTO audit.head (part, seq, hash) SELECT unnest($1::text[]), 0, $2 ON CONFLICT DO NOTHING', [
      chains,
      genesis,
    ]);
    heads = await lock();
  }
  return new Map(heads.map((head) => [head.part, head]));
}

/** The entries that are not in the record yet; those that contradict a recorded one are replaced by word of that. */
async function withoutRepeated(tx: Queryable, entries: Entry[]): Promise<Entry[]> {
  const seen = await knownDigests(tx, entries);
  const contradicting: Entry[] = [];
  const fresh = entries.filter((entry) => {
    const known = seen.get(entry.event.event_id);
    seen.set(entry.event.event_id, known ?? entry.digest);
    if (known !== undefined && !known.equals(entry.digest)) contradicting.push(entry);
    return known === undefined;
  });
  if (contradicting.length === 0) return fresh;
  return [...fresh, ...(await withoutRepeated(tx, contradicting.map(conflictOf)))];
}

async function knownDigests(tx: Queryable, entries: Entry[]): Promise<Map<string, Buffer>> {
  const rows = await tx.query<{ event_id: string; digest: Buffer }>(
    'SELECT event_id, digest FROM audit.event_id WHERE event_id = ANY($1::uuid[])',
    [entries.map((entry) => entry.event.event_id)],
    { name: 'audit.known_ids' },
  );
  return new Map(rows.map((row) => [row.event_id, row.digest]));
}

/** The next line of a chain, whose head moves on to it. */
function chainUp(head: Head, entry: Entry, event: AuditEvent): Line {
  const kept = redactEvent(event, event === entry.event ? entry.text : canonicalJson(event));
  const prev = head.hash;
  head.seq += 1;
  head.hash = eventHash(prev, head.seq, kept.body);
  return { ...head, ...kept, entry, prev };
}

async function insertEvents(tx: Queryable, lines: Line[]): Promise<void> {
  const columns = lines.map((line) => columnsOf(line.event));
  await tx.query(
    `INSERT INTO audit.event (part, seq, event_id, prev, hash, body, ts, ${columnNames.join(', ')})
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::uuid[], $4::bytea[], $5::bytea[],
       string_to_array($6, chr(10)), $7::timestamptz[],
       ${columnNames.map((_, i) => `$${i + 8}::text[]`).join(', ')})`,
    [
      lines.map((line) => line.part),
      lines.map((line) => line.seq),
      lines.map((line) => line.event.event_id),
      lines.map((line) => line.prev),
      lines.map((line) => line.hash),
      // JSON has no line feed of its own, and as an array every quotation mark would be escaped.
      lines.map((line) => line.body).join('\n'),
      lines.map((line) => new Date(timeOf(line.event)).toISOString()),
      ...columnNames.map((name) => columns.map((row) => row[name])),
    ],
    { name: 'audit.insert_events' },
  );
}

async function insertIds(tx: Queryable, lines: Line[]): Promise<void> {
  await tx.query(
    `INSERT INTO audit.event_id (event_id, digest, part, seq)
     SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::bigint[])`,
    [
      lines.map((line) => line.event.event_id),
      lines.map((line) => line.entry.digest),
      lines.map((line) => line.part),
      lines.map((line) => line.seq),
    ],
    { name: 'audit.insert_ids' },
  );
}

async function insertRejected(tx: Queryable, lines: Line[]): Promise<void> {
  const rejected = lines.map((line) => line.entry.rejected!);
  await tx.query(
    `INSERT INTO audit.invalid (event_id, record_id, sha256, raw, reason)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[], $5::text[])`,
    [
      lines.map((line) => line.event.event_id),
      rejected.map((record) => record.recordId),
      lines.map((line) => line.entry.digest),
      rejected.map((record) => record.raw),
      rejected.map((record) => record.reason),
    ],
  );
}

async function updateHeads(tx: Queryable, heads: Head[]): Promise<void> {
  await tx.query(
    `UPDATE audit.head h SET seq = n.seq, hash = n.hash
     FROM unnest($1::text[], $2::bigint[], $3::bytea[]) AS n (part, seq, hash) WHERE h.part = n.part`,
    [heads.map((head) => head.part), heads.map((head) => head.seq), heads.map((head) => head.hash)],
    { name: 'audit.move_heads' },
  );
}
