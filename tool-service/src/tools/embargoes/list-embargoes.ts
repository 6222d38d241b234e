import type { NodeKind } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import { titleOf } from '../../changes/title.ts';
import { Input, readTool } from '../../define-tool.ts';
import { fromCursor, paged, toCursor } from '../../graph/cursor.ts';
import { instant } from '../../graph/list-nodes.ts';
import { Cursor, Limit, Site } from '../arguments.ts';
import { isImported } from '../untrusted.ts';

type Row = { node: string; until: Date; reason: string; by: string; at: Date };

export const listEmbargoes = readTool({
  name: 'list_embargoes',
  title: 'List embargoes',
  description: 'The nodes that no publish may show readers yet, with when each embargo ends; the soonest first.',
  scopes: ['content:read'],
  toolsets: ['editorial', 'release'],
  input: Input({ site: Site, cursor: Cursor, limit: Limit() }),
  output: Type.Object({ embargoes: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ cursor: from, limit = 50 }, view, call) {
    const [until, id] = from === undefined ? [null, ''] : placeOf(from);
    const rows = await view.rows<Row>(
      `SELECT node_id AS node, until, reason, set_by AS by, set_at AS at FROM tools.embargo
       WHERE site_id = $1 AND until > $2 AND (until, node_id) > (coalesce($3::timestamptz, '-infinity'), $4)
       ORDER BY until, node_id LIMIT $5`,
      [call.now(), until, id, limit + 1],
    );
    const { items, cursor } = paged(rows, limit, (row) => toCursor(row.until.toISOString(), row.node));
    const nodes = new Map(
      (
        await view.nodes(
          items.map(({ node }) => node),
          { trash: true },
        )
      ).map((node) => [node.id, node]),
    );
    const untrusted: object[] = [];
    const embargoes = items.map(({ node: id, ...row }) => {
      const node = nodes.get(id);
      if (node && isImported(node)) untrusted.push({ source: 'import', id, title: titleOf(node) });
      return {
        node: id,
        ...(node && about(node.kind, node.path, node.deleted)),
        ...(node && !isImported(node) && { title: titleOf(node) }),
        until: row.until.toISOString(),
        reason: row.reason,
        by: row.by,
        setAt: row.at.toISOString(),
      };
    });
    return {
      data: { embargoes, ...(untrusted.length > 0 && { untrusted }) },
      ...(cursor !== undefined && { cursor }),
    };
  },
});

function placeOf(cursor: string): [string, string] {
  const [until, id] = fromCursor(cursor, 'string', 'string');
  return [instant(until, 'cursor'), id];
}

function about(kind: NodeKind, path: string | undefined, deleted: boolean) {
  return { kind, ...(path !== undefined && { path }), ...(deleted && { status: 'trash' }) };
}
