import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { AuditLine, AuditQuery } from '@cloudhal/shared/contracts';
import type { Queryable } from '@cloudhal/shared/database';
import type { Static } from 'typebox';
import type { View } from './access.ts';
import { showNames } from './names.ts';
import { Conditions, cursorOf, newestFirst, type Place } from './query.ts';

export type Filter = Omit<Static<typeof AuditQuery>, 'principal'>;
export type Page = { lines: Static<typeof AuditLine>[]; cursor?: string };

/** What one answer may carry. */
const pageBytes = 400_000;
const lineBytes = 100_000;

/** One page of the record, newest first: what the view reaches and the filter names. */
export async function search(database: Queryable, view: View, filter: Filter): Promise<Page> {
  const { limit = 50 } = filter;
  const where = conditionsOf(view, filter);
  const rows = await database.query<Place & { body: string }>(
    `SELECT e.part, e.seq, e.body, to_char(e.ts AT TIME ZONE 'UTC', '${isoTime}') AS at
     FROM audit.event e WHERE ${where} ORDER BY ${newestFirst} LIMIT ${limit + 1}`,
    where.values,
  );
  const page = firstThatFit(rows.slice(0, limit));
  const events = await showNames(
    database,
    page.map((row) => eventFor(view, row.body)),
  );
  const last = page.at(-1);
  return {
    lines: page.map(({ seq }, i) => ({ seq, event: events[i]! })),
    ...(last !== undefined && page.length < rows.length && { cursor: cursorOf(last) }),
  };
}

export const isoTime = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

function conditionsOf(view: View, filter: Filter): Conditions {
  const where = commonConditions(view, filter);
  if (filter.decision !== undefined) where.add('e.decision = ?', plain(filter.decision));
  if (filter.callId !== undefined) where.add('e.call_id = ?', plain(filter.callId));
  // `approval.*` is every type of that family.
  if (filter.type?.endsWith('.*')) where.add('starts_with(e.type, ?)', plain(filter.type.slice(0, -1)));
  else if (filter.type !== undefined) where.add('e.type = ?', plain(filter.type));
  return where;
}

/** What every search of people may ask for. */
export function commonConditions(
  view: View,
  filter: Pick<Filter, 'since' | 'until' | 'cursor' | 'actor' | 'tool' | 'skill' | 'site' | 'snapshot' | 'outcome'>,
): Conditions {
  const where = new Conditions();
  where.addView(view);
  where.addTime('>=', 'since', filter.since);
  where.addTime('<', 'until', filter.until);
  where.addCursor(filter.cursor);
  for (const name of ['actor', 'tool', 'skill'] as const) {
    if (filter[name] !== undefined) where.add(`e.${name} = ?`, plain(filter[name]));
  }
  if (filter.site !== undefined) where.add('e.part = ?', plain(filter.site));
  if (filter.snapshot !== undefined) where.add('e.snapshot = ?', plain(filter.snapshot));
  // A state such as `failed`, or the code that it failed with.
  if (filter.outcome !== undefined)
    where.add('(e.outcome = ? OR e.code = ?)', plain(filter.outcome), plain(filter.outcome));
  return where;
}

/** The columns hold no NUL, and the database takes none. */
export function plain(text: string): string {
  return text.replaceAll('\0', '');
}

/** At least one, so that a page is never empty before the end. */
export function firstThatFit<T extends { body: string }>(rows: T[]): T[] {
  let bytes = 0;
  const end = rows.findIndex((row, i) => {
    bytes += Math.min(Buffer.byteLength(row.body), lineBytes);
    return i > 0 && bytes > pageBytes;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

export function eventFor(view: View, body: string): AuditEvent {
  const { args_redacted: args, details, ...short } = JSON.parse(body) as AuditEvent;
  const fits = Buffer.byteLength(body) <= lineBytes;
  return {
    ...short,
    ...(view.arguments && fits && args !== undefined && { args_redacted: args }),
    ...(view.details && fits && details !== undefined && { details }),
  };
}
