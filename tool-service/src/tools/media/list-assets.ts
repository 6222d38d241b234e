import type { AssetBody } from '@cloudhal/shared/site/asset';
import { Type } from 'typebox';
import { usesOf } from '../../content/assets.ts';
import { Input, readTool } from '../../define-tool.ts';
import { fromCursor, paged, toCursor } from '../../graph/cursor.ts';
import type { View } from '../../graph/view.ts';
import { Cursor, Limit, Site } from '../arguments.ts';
import { isImported } from '../untrusted.ts';

export const listAssets = readTool({
  name: 'list_assets',
  title: 'List assets',
  description: 'Images and documents of the draft, newest first, with how often each is used.',
  scopes: ['media:read'],
  toolsets: ['media'],
  input: Input({
    site: Site,
    type: Type.Optional(Type.String({ maxLength: 64, description: 'Such as image or image/png.' })),
    unused: Type.Optional(Type.Boolean({ description: 'Only unused ones.' })),
    missingAlt: Type.Optional(Type.Boolean({ description: 'Only images that lack alt text in a locale.' })),
    licence: Type.Optional(Type.String({ maxLength: 200, description: 'Only this one; empty: none.' })),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of a name, alt or credit.' })),
    trash: Type.Optional(Type.Boolean({ description: 'Only deleted ones.' })),
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Type.Object({ assets: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ cursor, limit = 25, ...asked }, view) {
    const { locales } = await view.head();
    const { items, cursor: next } = await select(view, asked, locales, cursor, limit);
    const uses = await usesOf(
      view,
      items.map(({ id }) => id),
    );
    const untrusted = items.filter(isImported);
    return {
      data: {
        assets: items.map(({ id, rev, updatedAt, updatedBy, body }) => {
          const { type, bytes, width, height, alt } = body;
          const missing = type.startsWith('image/') ? locales.filter((locale) => alt[locale] === undefined) : [];
          return {
            id,
            rev,
            type,
            bytes,
            ...(width !== undefined && { width, height }),
            ...(!body.untrusted && words(body)),
            ...(missing.length > 0 && { missingAlt: missing }),
            uses: uses.get(id) ?? 0,
            updatedAt: updatedAt.toISOString(),
            updatedBy,
          };
        }),
        ...(untrusted.length > 0 && {
          untrusted: untrusted.map(({ id, body }) => ({ source: 'fetch', id, ...words(body) })),
        }),
      },
      ...(next !== undefined && { cursor: next }),
    };
  },
});

function words({ filename, alt, credit, licence }: AssetBody) {
  return { filename, alt, ...(credit !== undefined && { credit }), ...(licence !== undefined && { licence }) };
}

type Asked = { type?: string; unused?: boolean; missingAlt?: boolean; licence?: string; q?: string; trash?: boolean };
type Row = { id: string; rev: number; seq: number; updatedAt: Date; updatedBy: string; body: AssetBody };

async function select(view: View, asked: Asked, locales: string[], cursor: string | undefined, limit: number) {
  const [seq, id] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, ''] : fromCursor(cursor, 'integer', 'string');
  const { type, unused = false, missingAlt = false, licence, q, trash = false } = asked;
  const rows = await view.rows<Row>(
    `SELECT v.node_id AS id, v.rev, v.from_seq AS seq, s.at AS "updatedAt", s.actor_name AS "updatedBy", b.doc AS body
     FROM tools.ver v JOIN tools.body b ON b.hash = v.hash JOIN tools.snap s ON s.site_id = v.site_id AND s.seq = v.from_seq
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.kind = 'asset' AND v.to_seq IS NULL AND v.deleted = $11
       AND ($2::text IS NULL OR v.type = $2 OR starts_with(v.type, $2 || '/'))
       AND (NOT $3 OR NOT EXISTS (SELECT FROM tools.edge e
         WHERE e.site_id = $1 AND e.track IN ('draft', 'live') AND e.target = v.node_id))
       AND (NOT $4 OR starts_with(v.type, 'image/') AND NOT b.doc->'alt' ?& $5::text[])
       AND ($6::text IS NULL OR coalesce(b.doc->>'licence', '') = $6)
       AND ($7::text IS NULL OR strpos(lower(concat_ws(' ', v.title, b.doc->>'alt', b.doc->>'credit')), lower($7)) > 0)
       AND (v.from_seq < $8 OR v.from_seq = $8 AND v.node_id > $9)
     ORDER BY v.from_seq DESC, v.node_id LIMIT $10`,
    [type ?? null, unused, missingAlt, locales, licence ?? null, q ?? null, seq, id, limit + 1, trash],
  );
  return paged(rows, limit, (row) => toCursor(row.seq, row.id));
}
