import type { Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { NodeKind } from '@cloudhal/shared/site/shapes';
import { fromCursor, paged, toCursor } from './cursor.ts';
import { kindRow } from './kinds.ts';
import type { Condition, Listed, NodeQuery, Page, SortKey, Status } from './node.ts';
import {
  inState,
  otherHead,
  statusOf,
  toNode,
  Values,
  type VersionRow,
  versionColumns,
  versionTables,
} from './rows.ts';

const sortColumns: Record<SortKey, string> = {
  path: 'v.path',
  // As its index has it.
  title: 'left(v.title, 200)',
  date: 'v.date',
  updated: 'v.from_seq',
};

type Row = VersionRow & { status: Status; updatedAt: Date; updatedBy: string; key: string | number };

/** One page of a site's nodes of one kind. `seq`: the state at that snapshot, not the head. */
export async function listNodes<K extends NodeKind>(
  sql: Queryable,
  site: string,
  query: NodeQuery & { kind: K },
  seq: number | undefined,
): Promise<Page<Listed<K>>> {
  const track = query.at?.track ?? 'draft';
  const limit = query.limit ?? 25;
  const values = new Values();
  const unpublished = await unpublishedIds(sql, site, query, seq);
  const wanted = conditions(query, values, site, seq, unpublished);
  const sort = query.sort ?? 'updated';
  const key = sortColumns[sort];
  if (sort === 'path') wanted.push('v.path IS NOT NULL');
  const [direction, beyond] = query.descending ? ['DESC', '<'] : ['ASC', '>'];
  if (query.cursor !== undefined) {
    const [after, id] = fromCursor(query.cursor, sort === 'updated' ? 'integer' : 'string', 'string');
    wanted.push(`(${key}, v.node_id) ${beyond} (${values.add(after)}, ${values.add(id)})`);
  }
  const rows = await sql.query<Row>(
    `SELECT ${versionColumns}, ${statusOf[track]} AS status, s.at AS "updatedAt", s.actor_name AS "updatedBy", ${key} AS key
     FROM ${versionTables}
     JOIN tools.snap s ON s.site_id = v.site_id AND s.seq = v.from_seq
     ${otherHead(track)}
     WHERE ${wanted.join(' AND ')}
     ORDER BY ${key} ${direction}, v.node_id ${direction} LIMIT ${limit + 1}`,
    values.all,
  );
  const { items, cursor } = paged(rows, limit, (row) => toCursor(row.key, row.id));
  return { items: items.map(toListed) as Listed<K>[], ...(cursor !== undefined && { cursor }) };
}

/** How many nodes the query is about, on whichever page. Only what its conditions need is read. */
export async function countNodes(
  sql: Queryable,
  site: string,
  query: NodeQuery,
  seq: number | undefined,
): Promise<number> {
  const values = new Values();
  const unpublished = await unpublishedIds(sql, site, query, seq);
  const [row] = await sql.query<{ nodes: number }>(
    `SELECT count(*) AS nodes FROM ${query.where?.length ? versionTables : 'tools.ver v'}
     ${query.updatedSince === undefined ? '' : 'JOIN tools.snap s ON s.site_id = v.site_id AND s.seq = v.from_seq'}
     ${query.status === undefined ? '' : otherHead(query.at?.track ?? 'draft')}
     WHERE ${conditions(query, values, site, seq, unpublished).join(' AND ')}`,
    values.all,
  );
  return row!.nodes;
}

function toListed({ status, updatedAt, updatedBy, key: _, ...row }: Row): Listed {
  return { ...toNode(row), status, updatedAt: updatedAt.toISOString(), updatedBy };
}

function conditions(
  query: NodeQuery,
  values: Values,
  site: string,
  seq: number | undefined,
  unpublished: string[] | undefined,
): string[] {
  const track = query.at?.track ?? 'draft';
  const state = inState('v', seq === undefined ? undefined : values.add(seq));
  return [
    `v.site_id = ${values.add(site)} AND v.track = ${values.add(track)} AND ${state}`,
    `v.kind = ${values.add(query.kind)}`,
    query.status === 'trash' ? 'v.deleted' : 'NOT v.deleted',
    ...filters(query, values),
    ...(query.status && query.status !== 'trash' ? [`${statusOf[track]} = ${values.add(query.status)}`] : []),
    ...(unpublished ? [`v.node_id = ANY(${values.add(unpublished)})`] : []),
  ];
}

/** More than this and the first of them are found soon by looking through all. */
const mostUnpublished = 2_000;

/** Where only nodes that differ from what is live are asked for: the publish plan knows them, unless they are very many. */
async function unpublishedIds(
  sql: Queryable,
  site: string,
  { kind, status }: NodeQuery,
  seq: number | undefined,
): Promise<string[] | undefined> {
  if (seq !== undefined || kindRow(kind).draftOnly || (status !== 'changed' && status !== 'draft')) return undefined;
  const rows = await sql.query<{ id: string }>(
    `SELECT node_id AS id FROM tools.pending WHERE site_id = $1 LIMIT ${mostUnpublished + 1}`,
    [site],
  );
  return rows.length > mostUnpublished ? undefined : rows.map(({ id }) => id);
}

function filters(query: NodeQuery, values: Values): string[] {
  const wanted: string[] = [];
  if (query.type !== undefined) wanted.push(`v.type = ${values.add(query.type)}`);
  if (query.locale !== undefined) wanted.push(`v.locale = ${values.add(query.locale)}`);
  if (query.parent === null) wanted.push('v.parent IS NULL');
  else if (query.parent !== undefined) wanted.push(`v.parent = ${values.add(query.parent)}`);
  if (query.updatedSince !== undefined)
    wanted.push(`s.at >= ${values.add(instant(query.updatedSince, 'updatedSince'))}`);
  if (query.linksTo) {
    wanted.push(`EXISTS (SELECT FROM tools.edge e WHERE e.site_id = v.site_id AND e.track = v.track AND e.source = v.node_id
      AND e.target = ANY(${values.add(query.linksTo)}))`);
  }
  for (const condition of query.where ?? []) wanted.push(compare(condition, values));
  return wanted;
}

/** ISO 8601, as PostgreSQL gets it. */
export function instant(text: string, path: string): string {
  const parsed = /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(text) ? new Date(text) : new Date(Number.NaN);
  // The store knows no year 0.
  if (!(parsed.getTime() >= Date.parse('0001-01-01')))
    throw fail('validation_failed', { path, expected: 'a date or time in ISO 8601' });
  return parsed.toISOString();
}

function compare({ member, is, value }: Condition, values: Values): string {
  const path = `${values.add(member.split('.'))}::text[]`;
  const found = `(b.doc #> ${path})`;
  const json = () => `${values.add(JSON.stringify(value))}::jsonb`;
  switch (is) {
    case 'exists':
      return `${found} IS ${value === false ? '' : 'NOT '}NULL`;
    case 'eq':
      return `${found} = ${json()}`;
    case 'in':
      if (!Array.isArray(value))
        throw fail('validation_failed', { path: member, expected: 'a list of values for "in"' });
      return `${found} IN (SELECT jsonb_array_elements(${json()}))`;
    case 'gt':
    case 'lt': {
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw fail('validation_failed', { path: member, expected: `a text or a number for "${is}"` });
      }
      const operator = is === 'gt' ? '>' : '<';
      if (typeof value === 'string') {
        return `jsonb_typeof${found} = 'string' AND (b.doc #>> ${path}) COLLATE "C" ${operator} ${values.add(value)}`;
      }
      return `jsonb_typeof${found} = 'number' AND ${found} ${operator} ${json()}`;
    }
    case 'contains': {
      const listed = `(jsonb_typeof${found} = 'array' AND ${found} @> ${json()})`;
      if (typeof value !== 'string') return listed;
      const text = values.add(value);
      return `(${listed} OR (jsonb_typeof${found} = 'string' AND position(lower(${text}) IN lower(b.doc #>> ${path})) > 0))`;
    }
  }
}
