import type { KeyObject } from 'node:crypto';
import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { Queryable } from '@cloudhal/shared/database';
import { readNotes } from './checkpoint-files.ts';
import { openCheckpoints } from './checkpoint-list.ts';
import { type Columns, columnNames, columnsOf, timeOf } from './columns.ts';
import { changedNames, nameKey } from './names.ts';
import { ChainWalk, type Line, type Problem } from './walk.ts';

export type VerifyOptions = {
  /** One chain: a site's id, or `_deployment`. Default: all. */
  site?: string;
  /** Only these events; what lies outside is not judged. */
  from?: number;
  to?: number;
  /** The folder of the checkpoint files. Only a copy outside the database shows a cut tail or a record made anew. */
  checkpoints?: string;
  /** The keys that signed them, old ones included. Without keys checkpoints are not looked at. */
  publicKeys?: readonly KeyObject[];
  /** How old an attempt without an outcome may be; default 5 minutes. */
  graceMs?: number;
};

export type ChainReport = {
  chain: string;
  /** How many were found to be right. */
  events: number;
  /** The number of the last of them. */
  head: number;
  checkpoints: number;
  /** Only a part of the chain was looked at. */
  partial?: true;
  problem?: Problem;
};
export type Report = { ok: boolean; chains: ChainReport[] };

/** Recomputes the whole record and names the first problem of each chain. Reads in small pages; appending may go on. */
export async function verifyRecord(database: Queryable, options: VerifyOptions = {}): Promise<Report> {
  // Before the heads: a checkpoint that is made meanwhile may speak of events that come after them.
  const notes = await notesOf(database, options);
  const heads = await headsOf(database, options.site);
  for (const chain of notes.keys()) {
    const asked = options.site === undefined || options.site === chain;
    if (asked && !heads.has(chain)) heads.set(chain, { last: 0 });
  }
  const changed = await changedNames(database);
  const chains: ChainReport[] = [];
  for (const chain of [...heads.keys()].sort()) {
    chains.push(await verifyChain(database, chain, heads.get(chain)!, notes.get(chain) ?? [], changed, options));
  }
  return { ok: chains.every((chain) => chain.problem === undefined), chains };
}

async function notesOf(
  database: Queryable,
  { checkpoints, publicKeys = [] }: VerifyOptions,
): Promise<Map<string, string[]>> {
  if (publicKeys.length === 0) return new Map();
  return checkpoints === undefined ? storedNotes(database) : readNotes(checkpoints);
}

/** The checkpoints that the database has, by chain. */
export async function storedNotes(database: Queryable): Promise<Map<string, string[]>> {
  const rows = await database.query('SELECT part, note FROM audit.checkpoint ORDER BY part, seq');
  const notes = new Map<string, string[]>();
  for (const { part, note } of rows) {
    if (!notes.has(part)) notes.set(part, []);
    notes.get(part)!.push(note);
  }
  return notes;
}

export type Head = { head?: { seq: number; hash: Buffer }; last: number };

/** Each chain's head and the number of its last event, as of one moment. Chains that lost their head are found, too. */
export async function headsOf(database: Queryable, site?: string): Promise<Map<string, Head>> {
  const rows = await database.query(
    `WITH RECURSIVE parts AS (
       (SELECT part FROM audit.event ORDER BY part LIMIT 1)
       UNION ALL
       SELECT (SELECT e.part FROM audit.event e WHERE e.part > p.part ORDER BY e.part LIMIT 1) FROM parts p
       WHERE p.part IS NOT NULL
     )
     SELECT part, h.seq, h.hash, coalesce((SELECT max(e.seq) FROM audit.event e WHERE e.part = n.part), 0)::bigint AS last
     FROM (SELECT part FROM parts WHERE part IS NOT NULL UNION SELECT part FROM audit.head) n
     LEFT JOIN audit.head h USING (part) WHERE $1::text IS NULL OR part = $1`,
    [site ?? null],
  );
  return new Map(
    rows.map(({ part, seq, hash, last }) => [part, { last, ...(hash !== null && { head: { seq, hash } }) }]),
  );
}

async function verifyChain(
  database: Queryable,
  chain: string,
  { head, last }: Head,
  notes: readonly string[],
  changed: ReadonlySet<string>,
  options: VerifyOptions,
): Promise<ChainReport> {
  const { checkpoints, problem: badCheckpoint } = openCheckpoints(chain, notes, options.publicKeys ?? []);
  const from = options.from ?? 1;
  const to = Math.min(options.to ?? last, last);
  const walk = new ChainWalk({
    checkpoints,
    partial: { from: from > 1, to: to < last },
    ...(options.graceMs !== undefined && { graceMs: options.graceMs }),
  });
  let events = 0;
  let problem: Problem | undefined;
  for await (const row of rowsOf(database, chain, from, to)) {
    const event = parseEvent(row.body);
    problem = walk.take(row, event) ?? checkCopies(row, event) ?? checkName(row, event, changed);
    if (problem !== undefined) {
      problem = explain(row, problem);
      break;
    }
    events++;
  }
  problem ??= walk.end(head) ?? badCheckpoint;
  return {
    chain,
    events,
    head: walk.seq,
    checkpoints: checkpoints.length,
    ...((from > 1 || to < last) && { partial: true }),
    ...(problem !== undefined && { problem }),
  };
}

export type StoredRow = Line &
  Columns & { event_id: string; at_ms: number; received_at: string; registered: number | null };

const pageSize = 1_000;

/** The rows of a chain in order, also of two with one number. */
export async function* rowsOf(database: Queryable, chain: string, from: number, to: number): AsyncGenerator<StoredRow> {
  let after: [number, string] = [from - 1, 'infinity'];
  for (;;) {
    const rows = await database.query<StoredRow>(
      `SELECT e.seq, e.prev, e.hash, e.body, e.event_id, e.received_at::text AS received_at,
         (extract(epoch FROM e.ts) * 1000)::bigint AS at_ms, i.seq AS registered,
         ${columnNames.map((name) => `e.${name}`).join(', ')}
       FROM audit.event e LEFT JOIN audit.event_id i ON i.event_id = e.event_id AND i.part = e.part
       WHERE e.part = $1 AND (e.seq, e.received_at) > ($2, $3::timestamptz) AND e.seq <= $4
       ORDER BY e.seq, e.received_at LIMIT ${pageSize}`,
      [chain, ...after, to],
    );
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < pageSize) return;
    after = [end.seq, end.received_at];
  }
}

/** What stands beside the body has to say the same: the columns that searches use, and the list of event ids. */
function checkCopies(row: StoredRow, event: AuditEvent | undefined): Problem | undefined {
  if (event === undefined) return undefined;
  const columns = columnsOf(event);
  const same =
    columnNames.every((name) => columns[name] === row[name]) &&
    row.at_ms === timeOf(event) &&
    row.event_id === event.event_id;
  if (!same) return { seq: row.seq, kind: 'body_changed', detail: 'what it is searched by differs from its text' };
  if (row.registered === row.seq) return undefined;
  if (row.registered === null) return { seq: row.seq, kind: 'fork', detail: 'its id was never registered' };
  return { seq: row.seq, kind: 'duplicate_event', detail: `the same event is at ${row.registered}` };
}

/** The chain has a hash of the person's name; the name that is shown for it stands elsewhere. */
function checkName(
  { seq }: StoredRow,
  event: AuditEvent | undefined,
  changed: ReadonlySet<string>,
): Problem | undefined {
  if (event === undefined || !changed.has(nameKey(event.actor.id, event.actor.name))) return undefined;
  return { seq, kind: 'body_changed', detail: 'the name of its person is not the one it was appended with' };
}

/** The list of event ids tells a row that was moved from one that was changed. */
function explain({ seq, registered }: StoredRow, problem: Problem): Problem {
  const unclear = problem.kind === 'body_changed' || problem.kind === 'fork' || problem.kind === 'reordered';
  if (!unclear || problem.seq !== seq || registered === seq) return problem;
  if (registered === null) return { seq, kind: 'fork', detail: 'it was not appended by the service' };
  return { ...problem, kind: 'reordered', detail: `it was appended as ${registered}` };
}

export function parseEvent(body: string): AuditEvent | undefined {
  try {
    return JSON.parse(body) as AuditEvent;
  } catch {
    return undefined;
  }
}
