import type { Change } from './draft.ts';
import { kindRow } from './kinds.ts';
import { bandsOf } from './likeness.ts';
import type { GraphNode, Link } from './node.ts';
import { searchConfig } from './search-nodes.ts';
import { chunks, type Step } from './steps.ts';

/** Sends what keeps backlinks, search and the publish plan in step with the heads. */
export function projectionSteps(site: string, changes: readonly Change[]): Step[] {
  return [
    ...chunks([...new Set(changes.filter(({ kind }) => !kindRow(kind).draftOnly).map(({ id }) => id))]).map((ids) =>
      pendingStep(site, ids),
    ),
    ...chunks(
      changes.filter((change) => JSON.stringify(linksOf(change.before)) !== JSON.stringify(linksOf(change.after))),
    ).map((part) => edgeStep(site, part)),
    ...searchSteps(site, changes),
  ];
}

/** Which of the nodes differ between draft and live, now that their versions are stored. */
function pendingStep(site: string, ids: string[]): Step {
  return {
    text: `WITH head AS (
         SELECT c.id, d.hash IS DISTINCT FROM l.hash AS differs FROM unnest($2::text[]) AS c (id)
         LEFT JOIN tools.ver d ON d.site_id = $1 AND d.track = 'draft' AND d.node_id = c.id AND d.to_seq IS NULL AND NOT d.deleted
         LEFT JOIN tools.ver l ON l.site_id = $1 AND l.track = 'live' AND l.node_id = c.id AND l.to_seq IS NULL AND NOT l.deleted
       ), settled AS (
         DELETE FROM tools.pending p USING head WHERE p.site_id = $1 AND p.node_id = head.id AND NOT head.differs
       )
       INSERT INTO tools.pending (site_id, node_id) SELECT $1, id FROM head WHERE differs ON CONFLICT DO NOTHING`,
    values: [site, ids],
    name: 'pending',
  };
}

function edgeStep(site: string, changes: Change[]): Step {
  const edges = changes.flatMap(({ track, id, after }) => linksOf(after).map((link) => ({ track, id, ...link })));
  return {
    text: `WITH now AS (SELECT * FROM unnest($4::text[], $5::text[], $6::text[], $7::text[]) AS e (track, source, role, target)),
       gone AS (
         DELETE FROM tools.edge e USING unnest($2::text[], $3::text[]) AS c (track, id)
         WHERE e.site_id = $1 AND e.track = c.track AND e.source = c.id
           AND NOT EXISTS (SELECT FROM now n WHERE n.track = e.track AND n.source = e.source AND n.role = e.role AND n.target = e.target)
       )
       INSERT INTO tools.edge (site_id, track, source, role, target) SELECT $1, * FROM now ON CONFLICT DO NOTHING`,
    values: [
      site,
      changes.map((change) => change.track),
      changes.map((change) => change.id),
      edges.map((edge) => edge.track),
      edges.map((edge) => edge.id),
      edges.map((edge) => edge.role),
      edges.map((edge) => edge.target),
    ],
    name: 'edges',
  };
}

function searchSteps(site: string, changes: readonly Change[]): Step[] {
  const gone: Change[] = [];
  const now: (Change & { title: string; text: string })[] = [];
  for (const change of changes) {
    const [before, after] = [wordsOf(change.before), wordsOf(change.after)];
    if (!after) {
      if (before) gone.push(change);
    } else if (before?.title !== after.title || before.text !== after.text || before.locale !== after.locale) {
      now.push({ ...change, ...after });
    }
  }
  return [
    ...chunks(gone).map((part) => ({
      text: `DELETE FROM tools.search s USING unnest($2::text[], $3::text[]) AS c (track, id)
         WHERE s.site_id = $1 AND s.track = c.track AND s.node_id = c.id`,
      values: [site, part.map((change) => change.track), part.map((change) => change.id)],
    })),
    ...chunks(now).map((part) => ({
      text: `INSERT INTO tools.search (site_id, track, node_id, kind, locale, config, title, text, words, bands)
         SELECT $1, c.track, c.id, c.kind, c.locale, c.config::regconfig, c.title, c.text,
           setweight(to_tsvector(c.config::regconfig, c.title), 'A') || to_tsvector(c.config::regconfig, c.text), c.bands::int[]
         FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
           AS c (track, id, kind, locale, config, title, text, bands)
         ON CONFLICT (site_id, track, node_id) DO UPDATE SET locale = excluded.locale, config = excluded.config,
           title = excluded.title, text = excluded.text, words = excluded.words, bands = excluded.bands`,
      values: [
        site,
        part.map((change) => change.track),
        part.map((change) => change.id),
        part.map((change) => change.kind),
        part.map((change) => change.after!.locale ?? null),
        part.map((change) => searchConfig(change.after!.locale)),
        part.map((change) => change.title),
        part.map((change) => change.text),
        part.map((change) => `{${bandsOf(change.title, change.text).join()}}`),
      ],
      name: 'search_words',
    })),
  ];
}

function linksOf(node: GraphNode | undefined): Link[] {
  if (!node || node.deleted) return [];
  return kindRow(node.kind).links?.(node.body as never) ?? [];
}

function wordsOf(node: GraphNode | undefined): { title: string; text: string; locale: string | undefined } | undefined {
  if (!node || node.deleted) return undefined;
  const { words, columns } = kindRow(node.kind);
  return words && { title: columns(node.body as never).title, text: words(node.body as never), locale: node.locale };
}
