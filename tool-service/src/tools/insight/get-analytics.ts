import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { changeOf, withoutFew } from '../../analytics/few.ts';
import { type Range, rangeBefore, readRange } from '../../analytics/range.ts';
import { getNode } from '../../content/find-node.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { GraphNode } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { placeOfNode } from '../../site/locale-paths.ts';
import { Choice, NodeRef, Site } from '../arguments.ts';
import { fewNote, Metric, RangeArg } from './insight-arguments.ts';

const mostRows = 500;

export const getAnalytics = readTool({
  name: 'get_analytics',
  title: 'Read figures',
  description:
    'Views or visitors of the site, or of one page or entry, by day, path or referring host. Rows under 5 are left out. A visitor of two days counts twice.',
  scopes: ['analytics:read'],
  toolsets: ['insight'],
  input: Input({
    site: Site,
    range: RangeArg,
    metric: Metric,
    by: Type.Optional(Choice(['day', 'path', 'referrer'], 'day when absent; referrer has views only.')),
    node: Type.Optional(NodeRef),
    compare: Type.Optional(Type.Boolean({ description: 'Also the same number of days before.' })),
  }),
  output: Type.Object({
    from: Type.String(),
    to: Type.String(),
    metric: Type.String(),
    total: Type.Integer(),
    rows: Type.Array(Type.Unsafe<object>({ type: 'object' })),
    before: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
    untrusted: Type.Optional(Type.Array(Type.Unsafe<object>({ type: 'object' }))),
  }),
  async run({ range: asked, metric, by = 'day', node: ref, compare }, view, call) {
    if (by === 'referrer' && metric === 'visitors') {
      throw fail('validation_failed', { path: 'metric', expected: 'views, where it is by referrer' });
    }
    const range = readRange(asked, call.now());
    const path = ref === undefined ? undefined : await publicPathOf(view, ref);
    const { rows, total } = withoutFew(await rowsBy(view, by, metric, range, path));
    const shown = rows.slice(0, mostRows);
    const before = rangeBefore(range);
    const earlier = compare ? withoutFew(await rowsBy(view, by, metric, before, path)).total : 0;
    return {
      data: {
        from: range.from,
        to: range.to,
        metric,
        total,
        ...(by === 'referrer'
          ? { rows: [], untrusted: shown.map(({ name, value }) => ({ source: 'referrer', host: name, value })) }
          : { rows: shown.map(({ name, value }) => ({ [by]: name, value })) }),
        ...(compare && {
          before: { from: before.from, to: before.to, total: earlier, changePercent: changeOf(total, earlier) },
        }),
      },
      ...(rows.length > mostRows && { truncated: true }),
      warnings: [fewNote],
    };
  },
});

async function publicPathOf(view: View, ref: string): Promise<string> {
  const node = await getNode(view, ref);
  if (node.kind !== 'page' && node.kind !== 'entry') {
    throw fail('validation_failed', { path: 'node', expected: 'a page or an entry' });
  }
  const [site, live] = await Promise.all([
    view.node(view.siteId, { track: 'live' }) as Promise<GraphNode<'site'>>,
    view.nodes([node.id], { track: 'live' }),
  ]);
  return placeOfNode(site.body, live[0] ?? node);
}

type Row = { name: string; value: number };

function rowsBy(
  view: View,
  by: 'day' | 'path' | 'referrer',
  metric: 'views' | 'visitors',
  { from, to }: Range,
  path: string | undefined,
): Promise<Row[]> {
  const [table, name, value] =
    by === 'referrer'
      ? ['referral', 'host', 'views']
      : ['page_views', by === 'day' ? `to_char(day, 'YYYY-MM-DD')` : 'path', metric];
  // The whole site has rows of its own, in which each visitor counts once a day.
  const where = path !== undefined ? 'path = $4' : by === 'day' ? `path = ''` : `path <> ''`;
  return view.rows<Row>(
    `SELECT ${name} AS name, sum(${value})::float8 AS value FROM tools.${table}
     WHERE site_id = $1 AND day BETWEEN $2::date AND $3::date AND ${where} AND $4::text IS NOT DISTINCT FROM $4
     GROUP BY 1 ORDER BY ${by === 'day' ? '1' : '2 DESC, 1'}`,
    [from, to, path ?? null],
  );
}
