import type { Correction } from '@cloudhal/shared/site/correction';
import { correctionKinds } from '@cloudhal/shared/site/correction';
import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import { fromCursor, paged, toCursor } from '../../graph/cursor.ts';
import { instant } from '../../graph/list-nodes.ts';
import { Choice, Cursor, Limit, Site } from '../arguments.ts';

type Row = Correction & { entry: string; title: string | null; path: string | null; draft: boolean; live: boolean };

export const listCorrections = readTool({
  name: 'list_corrections',
  title: 'List corrections',
  description:
    'Every correction ever made, newest first: published (readers see it), draft, or withdrawn where a later change or rollback took it out of the entry.',
  scopes: ['content:read'],
  toolsets: ['editorial'],
  input: Input({
    site: Site,
    entry: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'Only of this entry.' })),
    since: Type.Optional(Type.String({ maxLength: 40, description: 'Only from this day on.' })),
    kind: Type.Optional(Choice(correctionKinds, 'Only of this kind.')),
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Type.Object({ corrections: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ entry, since, kind, cursor: from, limit = 25 }, view) {
    const [day, id] = from === undefined ? ['9999', ''] : fromCursor(from, 'string', 'string');
    const rows = await view.rows<Row>(
      `SELECT c.id, c.entry_id AS entry, c.kind, c.text, c.corrected_at AS "correctedAt", v.path,
         CASE WHEN b.doc->'untrusted' IS NULL THEN v.title END AS title,
         coalesce(b.doc->'corrections' @> jsonb_build_array(jsonb_build_object('id', c.id)), false) AS draft,
         coalesce(lb.doc->'corrections' @> jsonb_build_array(jsonb_build_object('id', c.id)), false) AS live
       FROM tools.correction c
       LEFT JOIN tools.ver v ON v.site_id = $1 AND v.track = 'draft' AND v.node_id = c.entry_id AND v.to_seq IS NULL
         AND NOT v.deleted
       LEFT JOIN tools.body b ON b.hash = v.hash
       LEFT JOIN tools.ver l ON l.site_id = $1 AND l.track = 'live' AND l.node_id = c.entry_id AND l.to_seq IS NULL
         AND NOT l.deleted
       LEFT JOIN tools.body lb ON lb.hash = l.hash
       WHERE c.site_id = $1 AND ($2::text IS NULL OR c.entry_id = $2) AND ($3::text IS NULL OR c.kind = $3)
         AND ($4::text IS NULL OR c.corrected_at >= $4) AND (c.corrected_at, c.id) < ($5, $6)
       ORDER BY c.corrected_at DESC, c.id DESC LIMIT ${limit + 1}`,
      [
        entry === undefined ? null : (await view.get('entry', entry, { trash: true })).id,
        kind ?? null,
        since === undefined ? null : instant(since, 'since').slice(0, 10),
        day,
        id,
      ],
    );
    const { items, cursor } = paged(rows, limit, (row) => toCursor(row.correctedAt, row.id));
    return { data: { corrections: items.map(shown) }, ...(cursor !== undefined && { cursor }) };
  },
});

function shown({ title, path, draft, live, ...correction }: Row) {
  return {
    ...correction,
    status: live ? 'published' : draft ? 'draft' : 'withdrawn',
    ...(title !== null && { title }),
    ...(path !== null && { path }),
  };
}
