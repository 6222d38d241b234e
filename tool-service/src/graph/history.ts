import type { Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { NodeKind } from '@cloudhal/shared/site/shapes';
import { fromCursor, paged, toCursor } from './cursor.ts';
import { digestText } from './digest.ts';
import { instant } from './list-nodes.ts';
import type { Backlink, GraphNode, Page, Revision, Snapshot, SnapshotQuery } from './node.ts';
import { Values } from './rows.ts';

type RevisionRow = Omit<Revision, 'at' | 'skill' | 'note'> & { at: Date; skill: string | null; note: string | null };

/** The versions of a node's draft, newest first. */
export async function historyOf(
  sql: Queryable,
  site: string,
  id: string,
  { cursor, limit = 25 }: { cursor?: string; limit?: number } = {},
): Promise<Page<Revision>> {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : fromCursor(cursor, 'integer')[0];
  const rows = await sql.query<RevisionRow>(
    `SELECT v.rev, s.id AS snapshot, s.seq, s.at, s.tool, s.actor_name AS actor, s.skill, s.note, v.deleted
     FROM tools.ver v JOIN tools.snap s ON s.site_id = v.site_id AND s.seq = v.from_seq
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.node_id = $2 AND v.from_seq < $3
     ORDER BY v.from_seq DESC LIMIT $4`,
    [site, id, before, limit + 1],
  );
  if (rows.length === 0 && cursor === undefined) throw fail('not_found', { what: 'node', id });
  const page = paged(rows, limit, (row) => toCursor(row.seq));
  return {
    ...page,
    items: page.items.map(({ at, skill, note, ...row }) => ({
      ...row,
      at: at.toISOString(),
      ...said({ skill, note }),
    })),
  };
}

/** What links to a node on the draft: by its id, or by its path. */
export async function backlinksOf(
  sql: Queryable,
  site: string,
  node: GraphNode,
  { kinds, cursor, limit = 50 }: { kinds?: NodeKind[]; cursor?: string; limit?: number } = {},
): Promise<Page<Backlink>> {
  const [source, role] = cursor === undefined ? ['', ''] : fromCursor(cursor, 'string', 'string');
  const rows = await sql.query<{ source: string; kind: NodeKind; title: string; path: string | null; role: string }>(
    `SELECT DISTINCT e.source, e.role, v.kind, v.title, v.path
     FROM tools.edge e JOIN tools.ver v ON v.site_id = e.site_id AND v.track = 'draft' AND v.node_id = e.source
       AND v.to_seq IS NULL AND NOT v.deleted
     WHERE e.site_id = $1 AND e.track = 'draft' AND e.target = ANY($2) AND ($3::text[] IS NULL OR v.kind = ANY($3))
       AND (e.source, e.role) > ($4, $5)
     ORDER BY e.source, e.role LIMIT $6`,
    [site, [node.id, ...(node.path === undefined ? [] : [node.path])], kinds ?? null, source, role, limit + 1],
  );
  const page = paged(rows, limit, (row) => toCursor(row.source, row.role));
  return { ...page, items: page.items.map(({ path, ...row }) => ({ ...row, ...(path !== null && { path }) })) };
}

type SnapshotRow = {
  id: string;
  seq: number;
  parent: string | null;
  reason: string;
  label: string;
  tool: string;
  actor: string;
  skill: string | null;
  callId: string;
  changed: number;
  draftDigest: string;
  liveDigest: string;
  note: string | null;
  at: Date;
};

const snapshotColumns = `s.id, s.seq, s.parent, s.reason, s.label, s.tool, s.actor_name AS actor, s.skill,
  s.call_id AS "callId", s.n_draft + s.n_live AS changed, s.draft_digest AS "draftDigest",
  s.live_digest AS "liveDigest", s.note, s.at`;

export async function snapshotById(sql: Queryable, site: string, id: string): Promise<Snapshot> {
  const [row] = await sql.query<SnapshotRow>(
    `SELECT ${snapshotColumns} FROM tools.snap s WHERE s.site_id = $1 AND s.id = $2`,
    [site, id],
    { name: 'snapshot' },
  );
  if (!row) throw fail('not_found', { what: 'snapshot', id });
  return toSnapshot(row);
}

/** Snapshots, newest first. */
export async function listSnapshots(sql: Queryable, site: string, query: SnapshotQuery): Promise<Page<Snapshot>> {
  const limit = query.limit ?? 25;
  const values = new Values();
  const here = values.add(site);
  const wanted = [`s.site_id = ${here}`];
  if (query.cursor !== undefined) wanted.push(`s.seq < ${values.add(fromCursor(query.cursor, 'integer')[0])}`);
  if (query.actor !== undefined) wanted.push(`s.actor_id = ${values.add(query.actor)}`);
  if (query.since !== undefined) wanted.push(`s.at >= ${values.add(instant(query.since, 'since'))}`);
  if (query.labelled) wanted.push('s.labelled');
  if (query.track) wanted.push(query.track === 'live' ? 's.n_live > 0' : 's.n_draft > 0');
  if (query.node !== undefined) {
    const node = values.add(query.node);
    wanted.push(`s.seq IN (SELECT unnest(ARRAY[v.from_seq, v.to_seq]) FROM tools.ver v
      WHERE v.site_id = ${here} AND v.track IN ('draft', 'live') AND v.node_id = ${node})`);
  }
  const rows = await sql.query<SnapshotRow>(
    `SELECT ${snapshotColumns} FROM tools.snap s WHERE ${wanted.join(' AND ')} ORDER BY s.seq DESC LIMIT ${limit + 1}`,
    values.all,
  );
  const page = paged(rows, limit, (row) => toCursor(row.seq));
  return { ...page, items: page.items.map(toSnapshot) };
}

function toSnapshot({ parent, skill, note, at, draftDigest, liveDigest, ...row }: SnapshotRow): Snapshot {
  return {
    ...row,
    draftDigest: digestText(draftDigest),
    liveDigest: digestText(liveDigest),
    at: at.toISOString(),
    ...said({ parent, skill, note }),
  };
}

/** The members that have a value. */
function said<T extends Record<string, string | null>>(members: T): { [M in keyof T]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as never;
}
