import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { ActivityFilter, AuditLine } from '@cloudhal/shared/contracts';
import type { Queryable } from '@cloudhal/shared/database';
import type { Static } from 'typebox';
import type { View } from './access.ts';
import { showNames } from './names.ts';
import { type Conditions, cursorOf, newestFirst, type Place } from './query.ts';
import { commonConditions, eventFor, firstThatFit, isoTime, plain } from './search.ts';

export type Filter = Static<typeof ActivityFilter> & { cursor?: string; limit?: number };
export type Entries = { entries: Static<typeof AuditLine>[]; cursor?: string };

type Row = Place & { body: string };

/**
 * The record for people, newest first. A call is one entry, however many lines it has: the line that says how it was
 * decided, with the outcome and the snapshot that later lines tell of.
 */
export async function listEntries(database: Queryable, view: View, filter: Filter): Promise<Entries> {
  const { limit = 50 } = filter;
  const where = entryConditions(view, filter);
  const rows = await database.query<Row>(
    `SELECT e.part, e.seq, e.body, to_char(e.ts AT TIME ZONE 'UTC', '${isoTime}') AS at
     FROM audit.event e WHERE ${where} ORDER BY ${newestFirst} LIMIT ${limit + 1}`,
    where.values,
  );
  const page = firstThatFit(rows.slice(0, limit)).map((row) => ({ ...row, event: eventFor(view, row.body) }));
  const others = await otherLines(database, page);
  const events = await showNames(
    database,
    page.map(({ part, event }) => (isOpen(event) ? fold(event, others.get(`${part}\n${event.call_id}`) ?? []) : event)),
  );
  const last = page.at(-1);
  return {
    entries: page.map(({ seq }, i) => ({ seq, event: events[i]! })),
    ...(last !== undefined && page.length < rows.length && { cursor: cursorOf(last) }),
  };
}

const kinds: Record<NonNullable<Filter['kind']>, string> = {
  calls: "e.type IN ('attempted', 'outcome', 'read', 'decision')",
  decisions: "(starts_with(e.type, 'approval.') OR starts_with(e.type, 'elevation.'))",
  access: "(starts_with(e.type, 'auth.') OR starts_with(e.type, 'key.') OR starts_with(e.type, 'config.'))",
  record: "(starts_with(e.type, 'audit.') OR starts_with(e.type, 'integrity.') OR e.type IN ('retention', 'erasure'))",
};

/** Told by other lines as well, or by the looking itself; shown to who asks for their kind. */
const ownTraces = [
  'audit.read',
  'approval.requested',
  'approval.answered',
  'approval.consumed',
  'approval.succeeded',
  'approval.failed',
  'approval.aborted',
];

/** Of the lines of a call only one counts: that of its outcome where one looks for outcomes, else that of its decision. */
export function entryConditions(view: View, filter: Filter): Conditions {
  const where = commonConditions(view, filter);
  const { kind, person, decision, outcome, snapshot } = filter;
  where.add(kind === undefined ? `NOT e.type = ANY('{${ownTraces.join(',')}}')` : kinds[kind]);
  if (person !== undefined) where.add('(e.actor = ? OR e.behalf = ?)', plain(person), plain(person));
  // A line of an outcome does not repeat that the call was allowed.
  if (decision === 'allow') where.add("(e.decision = 'allow' OR e.type = 'outcome')");
  else if (decision !== undefined) where.add('e.decision = ?', plain(decision));
  if (outcome === undefined && snapshot === undefined) where.add("e.type <> 'outcome'");
  return where;
}

/** The other lines of the calls on a page. */
async function otherLines(
  database: Queryable,
  page: readonly (Row & { event: AuditEvent })[],
): Promise<Map<string, AuditEvent[]>> {
  const lines = new Map<string, AuditEvent[]>();
  const open = page.filter(({ event }) => isOpen(event));
  if (open.length === 0) return lines;
  const rows = await database.query<{ part: string; call_id: string; body: string }>(
    `SELECT part, call_id, body FROM audit.event
     WHERE call_id = ANY($1) AND part = ANY($2) AND type IN ('attempted', 'outcome') ORDER BY part, seq LIMIT 2000`,
    [open.map(({ event }) => event.call_id), [...new Set(open.map(({ part }) => part))]],
  );
  for (const { part, call_id, body } of rows) {
    const key = `${part}\n${call_id}`;
    lines.set(key, [...(lines.get(key) ?? []), JSON.parse(body) as AuditEvent]);
  }
  return lines;
}

/** A line that another one completes. */
function isOpen({ type }: AuditEvent): boolean {
  return type === 'attempted' || type === 'outcome';
}

function fold(event: AuditEvent, lines: readonly AuditEvent[]): AuditEvent {
  const decided = lines.find(({ type }) => type === 'attempted')?.decision;
  const { outcome, snapshot_id } = lines.findLast(({ type }) => type === 'outcome') ?? {};
  return {
    ...event,
    ...(decided && { decision: decided }),
    ...(outcome && { outcome }),
    ...(snapshot_id !== undefined && { snapshot_id }),
  };
}
