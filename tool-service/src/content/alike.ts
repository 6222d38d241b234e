import { fail } from '@cloudhal/shared/errors';
import type { NodeKind } from '@cloudhal/shared/site/shapes';
import { likeness, type Parts, partsOf } from '../graph/likeness.ts';
import type { GraphNode, Track } from '../graph/node.ts';
import type { View } from '../graph/view.ts';

export type AlikeQuery = { track: Track; kinds?: readonly NodeKind[]; locale?: string; type?: string; limit: number };
/** `alike`: the part, from 0 to 1, that it has in common with the one asked for, or the most with one of its group. */
export type Alike = { id: string; kind: NodeKind; title: string; path?: string; locale?: string; alike: number };

type Row = { id: string; kind: NodeKind; title: string; path: string | null; locale: string | null; text: string };

/** Less than half in common is no likeness. */
const least = 0.5;
/** Of one node, those that share most numbers with it are compared. */
const mostCandidates = 200;
/** Nodes that one call compares. */
const mostNodes = 1_000;
/** A number that more nodes have in common than this says nothing. */
const mostAlike = 200;
/** Each of so many is compared with each. */
const mostPaired = 20;

/** Nodes that are nearly the same as this one, the nearest first. */
export async function alikeTo(view: View, node: GraphNode, query: AlikeQuery): Promise<Alike[]> {
  const [own] = await view.rows<Row & { bands: number[] }>(
    `SELECT ${columns}, s.bands FROM tools.search s WHERE s.site_id = $1 AND s.track = $2 AND s.node_id = $3`,
    [query.track, node.id],
  );
  if (!own) throw fail('validation_failed', { path: 'like', expected: 'a page or an entry with a text of its own' });
  const rows = await view.rows<Row>(
    `SELECT ${columns} FROM tools.search s WHERE ${wanted} AND s.node_id <> $6 AND s.bands && $7::int[]
     ORDER BY (SELECT count(*) FROM unnest(s.bands) b WHERE b = ANY($7)) DESC, s.node_id LIMIT ${mostCandidates}`,
    [...values(query), node.id, own.bands],
  );
  const parts = partsOf(own.title, own.text);
  const alike = rows
    .map((row) => ({ row, score: scoreOf(parts, partsOf(row.title, row.text)) }))
    .filter(({ score }) => score >= least);
  alike.sort((a, b) => b.score - a.score || (a.row.id < b.row.id ? -1 : 1));
  return alike.slice(0, query.limit).map(({ row, score }) => toAlike(row, score));
}

/** Groups of nodes that are nearly the same as each other, the nearest first; `truncated` where there may be more. */
export async function alikeGroups(view: View, query: AlikeQuery): Promise<{ groups: Alike[][]; truncated: boolean }> {
  const shared = await view.rows<{ ids: string[] }>(
    `SELECT array_agg(b.node_id ORDER BY b.node_id) AS ids FROM (
       SELECT s.node_id, unnest(s.bands) AS band FROM tools.search s WHERE ${wanted}
     ) b GROUP BY b.band HAVING count(*) BETWEEN 2 AND ${mostAlike} ORDER BY count(*), min(b.node_id) LIMIT 20000`,
    values(query),
  );
  const pairs = new Map<string, [string, string]>();
  const ids = new Set<string>();
  let truncated = false;
  for (const { ids: alike } of shared) {
    if (ids.size + alike.length > mostNodes && !alike.every((id) => ids.has(id))) {
      truncated = true;
      continue;
    }
    for (const id of alike) ids.add(id);
    // Of very many, each is compared with the first: those that are really the same all are.
    for (const [at, one] of alike.slice(0, alike.length > mostPaired ? 1 : undefined).entries())
      for (const other of alike.slice(at + 1)) pairs.set(`${one} ${other}`, [one, other]);
  }
  const rows = await view.rows<Row>(
    `SELECT ${columns} FROM tools.search s WHERE s.site_id = $1 AND s.track = $2 AND s.node_id = ANY($3)`,
    [query.track, [...ids]],
  );
  const groups = joined(new Map(rows.map((row) => [row.id, row])), [...pairs.values()]);
  return { groups: groups.slice(0, query.limit), truncated: truncated || groups.length > query.limit };
}

// A row is there just for what is there; its path is looked up for those that are named, one by one, whatever the planner
// knows of the tables.
const path = `(SELECT v.path FROM tools.ver v WHERE v.site_id = s.site_id AND v.track = s.track AND v.node_id = s.node_id
  AND v.to_seq IS NULL) AS path`;
const columns = `s.node_id AS id, s.kind, s.title, ${path}, s.locale, left(s.text, 20000) AS text`;
const wanted = `s.site_id = $1 AND s.track = $2 AND ($3::text[] IS NULL OR s.kind = ANY($3)) AND ($4::text IS NULL OR s.locale = $4)
  AND ($5::text IS NULL OR s.node_id = ANY(ARRAY(SELECT v.node_id FROM tools.ver v WHERE v.site_id = $1 AND v.track = $2
    AND v.kind = 'entry' AND v.type = $5 AND v.to_seq IS NULL)))`;

function values({ track, kinds, locale, type }: AlikeQuery): unknown[] {
  return [track, kinds ?? null, locale ?? null, type ?? null];
}

/** The same text counts whatever its title; the same title counts half without the text, and one that only resembles less. */
function scoreOf(a: Parts, b: Parts): number {
  const { title, text } = likeness(a, b);
  const named = Math.max(0, title - 0.8) / 0.4;
  return Math.round((text + (1 - text) * named) * 100) / 100;
}

function toAlike({ id, kind, title, path, locale }: Row, alike: number): Alike {
  return { id, kind, title, ...(path !== null && { path }), ...(locale !== null && { locale }), alike };
}

/** Pairs that are alike, put together where they share a node. */
function joined(rows: ReadonlyMap<string, Row>, pairs: readonly [string, string][]): Alike[][] {
  const parts = new Map([...rows].map(([id, { title, text }]) => [id, partsOf(title, text)]));
  const groupOf = new Map<string, Set<string>>();
  const best = new Map<string, number>();
  for (const [a, b] of pairs) {
    const [one, other] = [parts.get(a), parts.get(b)];
    const score = one && other ? scoreOf(one, other) : 0;
    if (score < least) continue;
    const merged = new Set([...(groupOf.get(a) ?? [a]), ...(groupOf.get(b) ?? [b])]);
    for (const id of merged) groupOf.set(id, merged);
    for (const id of [a, b]) best.set(id, Math.max(score, best.get(id) ?? 0));
  }
  const groups = [...new Set(groupOf.values())].map((group) =>
    [...group].sort().map((id) => toAlike(rows.get(id)!, best.get(id)!)),
  );
  const nearest = (group: Alike[]) => Math.max(...group.map(({ alike }) => alike));
  return groups.sort((a, b) => nearest(b) - nearest(a) || (a[0]!.id < b[0]!.id ? -1 : 1));
}
