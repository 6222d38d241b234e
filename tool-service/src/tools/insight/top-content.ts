import type { EntryBody } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import { changeOf, fewest } from '../../analytics/few.ts';
import { nodesAt } from '../../analytics/nodes-at.ts';
import { rangeBefore, readRange } from '../../analytics/range.ts';
import { titleOf } from '../../changes/title.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { GraphNode } from '../../graph/node.ts';
import { Limit, Site } from '../arguments.ts';
import { isImported } from '../untrusted.ts';
import { fewNote, Metric, RangeArg } from './insight-arguments.ts';

/** So many addresses are looked through, the most read first. */
const mostPaths = 1_000;

export const topContent = readTool({
  name: 'top_content',
  title: 'What is read most',
  description: 'Pages and entries by views or visitors, with the change against the same number of days before.',
  scopes: ['analytics:read'],
  toolsets: ['insight'],
  input: Input({
    site: Site,
    range: RangeArg,
    metric: Type.Optional(Metric),
    type: Type.Optional(Type.String({ maxLength: 64, description: 'Only page, or entries of this content type.' })),
    limit: Limit(50),
  }),
  output: Type.Object({
    from: Type.String(),
    to: Type.String(),
    metric: Type.String(),
    content: Type.Array(Type.Unsafe<object>({ type: 'object' })),
  }),
  async run({ range: asked, metric = 'views', type, limit = 10 }, view, call) {
    const range = readRange(asked, call.now());
    const before = rangeBefore(range);
    const rows = await view.rows<{ path: string; value: number; before: number }>(
      `SELECT path, coalesce(sum(${metric}) FILTER (WHERE day >= $3::date), 0)::float8 AS value,
         coalesce(sum(${metric}) FILTER (WHERE day < $3::date), 0)::float8 AS before
       FROM tools.page_views WHERE site_id = $1 AND day BETWEEN $2::date AND $4::date AND path <> ''
       GROUP BY path HAVING sum(${metric}) FILTER (WHERE day >= $3::date) >= $5
       ORDER BY 2 DESC, 1 LIMIT ${mostPaths}`,
      [before.from, range.from, range.to, fewest],
    );
    const nodes = await nodesAt(
      view,
      rows.map(({ path }) => path),
    );
    const content = rows.flatMap(({ path, value, before: earlier }) => {
      const node = nodes.get(path);
      if (!node || (type !== undefined && typeOf(node) !== type)) return [];
      return [
        {
          node: node.id,
          type: typeOf(node),
          path,
          // What nobody has looked at does not speak here.
          ...(!isImported(node) && { title: titleOf(node) }),
          value,
          before: earlier < fewest ? null : earlier,
          changePercent: changeOf(value, earlier),
        },
      ];
    });
    return {
      data: { from: range.from, to: range.to, metric, content: content.slice(0, limit) },
      warnings: [fewNote],
    };
  },
});

function typeOf({ kind, body }: GraphNode): string {
  return kind === 'entry' ? (body as EntryBody).type : kind;
}
