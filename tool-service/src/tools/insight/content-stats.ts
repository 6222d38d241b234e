import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import type { View } from '../../graph/view.ts';
import { Choice, Site } from '../arguments.ts';

const staleMonths = 12;
const mostExamples = 20;
const groups = { type: `coalesce(nullif(v.type, ''), v.kind)`, status: 'status', locale: 'v.locale' } as const;

const Listed = Type.Array(Type.Unsafe<object>({ type: 'object' }));
const Some = Type.Object({ count: Type.Integer(), examples: Listed });

export const contentStats = readTool({
  name: 'content_stats',
  title: 'Count content',
  description: `How many pages and entries there are, and which live ones have not changed for ${staleMonths} months, have nothing that links to them, or lack optional fields.`,
  scopes: ['analytics:read'],
  toolsets: ['insight'],
  input: Input({
    site: Site,
    by: Type.Optional(Choice(['type', 'status', 'locale'], 'How counts are grouped; by all three when absent.')),
  }),
  output: Type.Object({ counts: Listed, stale: Some, orphaned: Some, missingFields: Listed }),
  async run({ by }, view) {
    const [counts, stale, orphaned, missingFields] = await Promise.all([
      countContent(view, by),
      someOf(view, staleNodes),
      someOf(view, orphanedNodes),
      missing(view),
    ]);
    return { data: { counts, stale, orphaned, missingFields } };
  },
});

/** Pages and entries of the draft. */
async function countContent(view: View, by: keyof typeof groups | undefined): Promise<object[]> {
  const names = by === undefined ? (Object.keys(groups) as (keyof typeof groups)[]) : [by];
  const columns = names.map((name) => `${groups[name]} AS "${name}"`).join(', ');
  const keys = names.map((_, index) => index + 1).join(', ');
  return view.rows(
    `SELECT ${columns}, count(*)::int AS nodes FROM tools.ver v
     LEFT JOIN tools.ver o ON o.site_id = v.site_id AND o.track = 'live' AND o.node_id = v.node_id AND o.to_seq IS NULL
     CROSS JOIN LATERAL (SELECT CASE WHEN v.deleted THEN 'trash' WHEN o.node_id IS NULL THEN 'draft'
       WHEN o.hash = v.hash THEN 'published' ELSE 'changed' END AS status) s
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.to_seq IS NULL AND v.kind IN ('page', 'entry')
     GROUP BY ${keys} ORDER BY ${keys}`,
  );
}

const live = `v.site_id = $1 AND v.track = 'live' AND v.to_seq IS NULL AND NOT v.deleted AND v.kind IN ('page', 'entry')`;

const staleNodes = `tools.ver v JOIN tools.snap s ON s.site_id = v.site_id AND s.seq = v.from_seq
  WHERE ${live} AND s.at < now() - interval '${staleMonths} months'`;

// What stands in the site's own lists is reached without a link: pages at the top, and the home page.
const orphanedNodes = `tools.ver v
  WHERE ${live} AND (v.kind = 'entry' OR v.parent IS NOT NULL)
    AND NOT EXISTS (SELECT FROM tools.edge e WHERE e.site_id = $1 AND e.track = 'live' AND e.source <> v.node_id
      AND e.role NOT IN ('parent', 'translation') AND e.target IN (v.node_id, v.path, '/' || v.locale || v.path))`;

async function someOf(view: View, from: string): Promise<{ count: number; examples: object[] }> {
  const [counted, examples] = await Promise.all([
    view.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`),
    view.rows<{ node: string; path: string; locale: string }>(
      `SELECT v.node_id AS node, v.path, v.locale FROM ${from} ORDER BY v.from_seq, v.node_id LIMIT ${mostExamples}`,
    ),
  ]);
  return { count: counted[0]!.count, examples };
}

/** Fields that a type has and that live entries of it leave empty. Each body is read once. */
async function missing(view: View): Promise<object[]> {
  return view.rows(
    `SELECT w.type, w.field, (t.entries - coalesce(f.entries, 0))::int AS entries
     FROM (
       SELECT b.doc->>'name' AS type, jsonb_object_keys(coalesce(b.doc->'fields'->'properties', '{}')) AS field
       FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
       WHERE v.site_id = $1 AND v.track = 'draft' AND v.kind = 'content_type' AND v.to_seq IS NULL AND NOT v.deleted
     ) w
     JOIN (SELECT v.type, count(*) AS entries FROM tools.ver v WHERE ${live} GROUP BY 1) t ON t.type = w.type
     LEFT JOIN (
       SELECT v.type, m.field, count(*) AS entries FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
       CROSS JOIN LATERAL jsonb_each_text(b.doc->'fields') AS m (field, value)
       WHERE ${live} AND v.kind = 'entry' AND m.value NOT IN ('', '[]') GROUP BY 1, 2
     ) f ON f.type = w.type AND f.field = w.field
     WHERE t.entries > coalesce(f.entries, 0) ORDER BY 3 DESC, 1, 2 LIMIT 200`,
  );
}
