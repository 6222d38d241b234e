import { Type } from 'typebox';
import { type Broken, brokenInside } from '../../analytics/broken-inside.ts';
import { fewest } from '../../analytics/few.ts';
import { Input, readTool } from '../../define-tool.ts';
import { fromCursor, paged, toCursor } from '../../graph/cursor.ts';
import type { View } from '../../graph/view.ts';
import { Choice, Cursor, Site } from '../arguments.ts';

const limit = 50;
const kinds = ['internal', 'external', '404'] as const;
type Kind = (typeof kinds)[number];

const Listed = Type.Array(Type.Unsafe<object>({ type: 'object' }));

export const brokenLinks = readTool({
  name: 'broken_links',
  title: 'Find broken links',
  description:
    "Links of live pages that lead nowhere: internal, external as last checked, and what readers asked for in vain, as strangers' text in data.untrusted. For a while after this call publishing, deleting and fetching need a person.",
  scopes: ['analytics:read'],
  toolsets: ['insight'],
  untrusted: true,
  input: Input({
    site: Site,
    kind: Type.Optional(Choice(kinds, 'Only these; the first of each when absent.')),
    cursor: Cursor,
  }),
  output: Type.Object({
    internal: Type.Optional(Listed),
    external: Type.Optional(Listed),
    untrusted: Type.Optional(Listed),
  }),
  async run({ kind, cursor }, view) {
    const asked = kind === undefined ? kinds : [kind];
    const parts = await Promise.all(asked.map((each) => readers[each](view, kind === undefined ? undefined : cursor)));
    const data = Object.assign({}, ...parts.map((part) => part.data));
    const next = kind === undefined ? undefined : parts[0]?.cursor;
    const more = kind === undefined ? asked.filter((_, index) => parts[index]!.cursor !== undefined) : [];
    return {
      data,
      ...(next !== undefined && { cursor: next }),
      ...(more.length > 0 && { truncated: true, next: [`There are more: ask with kind ${more.join(', or ')}.`] }),
    };
  },
});

type Part = { data: object; cursor?: string };

const readers: Record<Kind, (view: View, cursor: string | undefined) => Promise<Part>> = {
  async internal(view, from) {
    const after = from === undefined ? ['', '', ''] : fromCursor(from, 'string', 'string', 'string');
    const rows = await brokenInside(view, after as [string, string, string], limit + 1);
    const { items, cursor } = paged<Broken>(rows, limit, (row) => toCursor(row.source, row.role, row.target));
    return { data: { internal: items }, ...(cursor !== undefined && { cursor }) };
  },

  async external(view, from) {
    const after = from === undefined ? '' : fromCursor(from, 'string')[0];
    const rows = await view.rows<{ url: string; problem: string; checkedAt: Date; sources: string[] }>(
      `SELECT l.url, l.problem, l.checked_at AS "checkedAt",
         (SELECT array_agg(s.source ORDER BY s.source) FROM (SELECT DISTINCT e.source FROM tools.edge e WHERE e.site_id = $1
            AND e.track = 'live' AND e.target = l.url LIMIT 10) s) AS sources
       FROM tools.external_link l
       WHERE l.site_id = $1 AND l.failures >= 2 AND l.url > $2
         AND EXISTS (SELECT FROM tools.edge e WHERE e.site_id = $1 AND e.track = 'live' AND e.target = l.url)
       ORDER BY l.url LIMIT $3`,
      [after, limit + 1],
    );
    const { items, cursor } = paged(rows, limit, (row) => toCursor(row.url));
    const external = items.map((row) => ({ ...row, checkedAt: row.checkedAt.toISOString() }));
    return { data: { external }, ...(cursor !== undefined && { cursor }) };
  },

  async 404(view, from) {
    const [hits, path] = from === undefined ? [Number.MAX_SAFE_INTEGER, ''] : fromCursor(from, 'integer', 'string');
    const rows = await view.rows<{ path: string; hits: number }>(
      `SELECT path, sum(hits)::float8 AS hits FROM tools.missing_page
       WHERE site_id = $1 AND day > (now() AT TIME ZONE 'UTC')::date - 28
       GROUP BY path HAVING sum(hits) >= $2 AND (sum(hits) < $3 OR (sum(hits) = $3 AND path > $4))
       ORDER BY 2 DESC, 1 LIMIT $5`,
      [fewest, hits, path, limit + 1],
    );
    const { items, cursor } = paged(rows, limit, (row) => toCursor(row.hits, row.path));
    return {
      data: { untrusted: items.map((row) => ({ source: '404', ...row })) },
      ...(cursor !== undefined && { cursor }),
    };
  },
};
