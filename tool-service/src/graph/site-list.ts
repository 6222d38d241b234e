import type { Queryable } from '@cloudhal/shared/database';
import { fromCursor, paged, toCursor } from './cursor.ts';
import { type HeadRow, siteHeads, toHead } from './sql-view.ts';
import type { SiteList } from './view.ts';

/** The sites among `visible`, or all. */
export function openSiteList(sql: Queryable, visible: readonly string[] | '*'): SiteList {
  return {
    async sites({ cursor, limit = 25 } = {}) {
      const after = cursor === undefined ? '' : fromCursor(cursor, 'string')[0];
      const rows = await sql.query<HeadRow & { changedNodes: number }>(
        `SELECT h.*, (SELECT count(*) FROM tools.pending p WHERE p.site_id = h.id) AS "changedNodes"
         FROM (${siteHeads} WHERE s.slug > $1 AND ($2::text[] IS NULL OR s.id = ANY($2)) ORDER BY s.slug LIMIT $3) h
         ORDER BY h.slug`,
        [after, visible === '*' ? null : visible, limit + 1],
      );
      const page = paged(rows, limit, (row) => toCursor(row.slug));
      return {
        ...page,
        items: page.items.map(({ changedNodes, ...row }) => ({ ...toHead(row), changedNodes })),
      };
    },
  };
}
