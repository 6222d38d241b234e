import type { Queryable } from '@cloudhal/shared/database';
import type { NodeKind } from '@cloudhal/shared/site/shapes';
import { fromCursor, paged, toCursor } from './cursor.ts';
import { draftOnlyKinds } from './kinds.ts';
import type { Difference, Page, Track } from './node.ts';
import { inState, toNode, Values, type VersionRow, versionTables } from './rows.ts';

/** A state by numbers: a track, and the snapshot whose state it is; without one, the head. */
export type State = { track: Track; seq?: number };

type Filter = { kinds?: NodeKind[]; node?: string; nodes?: readonly string[]; cursor?: string; limit?: number };
type Row = { id: string; kind: NodeKind; before: VersionRow | null; after: VersionRow | null };

/**
 * The nodes that differ between two states, by id. Within a track only versions with a bound between the two are read; from
 * the draft to the live head only those known to differ.
 */
export async function differences(
  sql: Queryable,
  site: string,
  before: State,
  after: State,
  { kinds, node, nodes, cursor, limit = 50 }: Filter = {},
): Promise<Page<Difference>> {
  const values = new Values();
  const here = values.add(site);
  const candidates = candidatesOf(before, after, here, values);
  // The limit keeps the planner from reading all of both states where it expects more candidates than there are.
  const side = (state: State) =>
    `SELECT v.*, b.doc FROM ${versionTables} WHERE v.site_id = ${here} AND v.track = '${state.track}' AND v.node_id = c.node_id
     AND ${inState('v', state.seq === undefined ? undefined : values.add(state.seq))} LIMIT 1`;
  const wanted = ['(x.hash, x.deleted) IS DISTINCT FROM (y.hash, y.deleted)'];
  // In the trash and never there are both "not there" to whoever reads the other track.
  if (before.track !== after.track) {
    wanted.push('NOT (coalesce(x.deleted, true) AND coalesce(y.deleted, true))');
    wanted.push(`coalesce(y.kind, x.kind) <> ALL(${values.add(draftOnlyKinds())})`);
  }
  if (kinds) wanted.push(`coalesce(y.kind, x.kind) = ANY(${values.add(kinds)})`);
  if (node !== undefined) wanted.push(`c.node_id = ${values.add(node)}`);
  if (nodes) wanted.push(`c.node_id = ANY(${values.add(nodes)})`);
  if (cursor !== undefined) wanted.push(`c.node_id > ${values.add(fromCursor(cursor, 'string')[0])}`);
  const rows = await sql.query<Row>(
    `SELECT c.node_id AS id, coalesce(y.kind, x.kind) AS kind, ${asVersion('x')} AS before, ${asVersion('y')} AS after
     FROM (${candidates}) c
     LEFT JOIN LATERAL (${side(before)}) x ON true LEFT JOIN LATERAL (${side(after)}) y ON true
     WHERE ${wanted.join(' AND ')} ORDER BY c.node_id LIMIT ${limit + 1}`,
    values.all,
  );
  const page = paged(rows, limit, (row) => toCursor(row.id));
  return {
    ...page,
    items: page.items.map((row) => ({
      id: row.id,
      kind: row.kind,
      ...(row.before && { before: toNode(row.before) }),
      ...(row.after && { after: toNode(row.after) }),
    })),
  };
}

/** All of the differences, page after page. */
export async function allDifferences(
  sql: Queryable,
  site: string,
  before: State,
  after: State,
  filter: Omit<Filter, 'cursor' | 'limit'> = {},
): Promise<Difference[]> {
  const all: Difference[] = [];
  let cursor: string | undefined;
  do {
    const page = await differences(sql, site, before, after, {
      ...filter,
      limit: 1000,
      ...(cursor !== undefined && { cursor }),
    });
    all.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}

function candidatesOf(before: State, after: State, site: string, values: Values): string {
  const sameTrack = before.track === after.track;
  const plan = `SELECT node_id FROM tools.pending WHERE site_id = ${site}`;
  if (!sameTrack && before.seq === undefined && after.seq === undefined) return plan;
  const bounds = [before.seq ?? Number.MAX_SAFE_INTEGER, after.seq ?? Number.MAX_SAFE_INTEGER];
  const from = values.add(Math.min(...bounds));
  // What differs across the tracks differs now as well, or has changed since on one of them.
  const to = values.add(sameTrack ? Math.max(...bounds) : Number.MAX_SAFE_INTEGER);
  const tracks = sameTrack ? `'${before.track}'` : "'draft', 'live'";
  const changed = (bound: string) =>
    `SELECT node_id FROM tools.ver WHERE site_id = ${site} AND track IN (${tracks}) AND ${bound} > ${from} AND ${bound} <= ${to}`;
  return [changed('from_seq'), changed('to_seq'), ...(sameTrack ? [] : [plan])].join(' UNION ');
}

function asVersion(version: string): string {
  return `CASE WHEN ${version}.node_id IS NULL THEN NULL ELSE jsonb_build_object('id', ${version}.node_id,
    'kind', ${version}.kind, 'rev', ${version}.rev, 'path', ${version}.path, 'locale', ${version}.locale,
    'deleted', ${version}.deleted, 'hash', encode(${version}.hash, 'hex'), 'seq', ${version}.from_seq, 'body', ${version}.doc) END`;
}
