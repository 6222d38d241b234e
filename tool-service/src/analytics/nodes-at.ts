import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { homeIn, placeAt } from '../site/locale-paths.ts';

/** What readers find now at each of the paths that they looked at. */
export async function nodesAt(view: View, paths: readonly string[]): Promise<Map<string, GraphNode>> {
  const { body: site } = (await view.node(view.siteId, { track: 'live' })) as GraphNode<'site'>;
  const places = paths.map((path) => ({ asked: path, ...placeAt(site, path) }));
  const rows = await view.rows<{ id: string; path: string; locale: string }>(
    `SELECT v.node_id AS id, v.path, coalesce(v.locale, '') AS locale FROM tools.ver v
     WHERE v.site_id = $1 AND v.track = 'live' AND v.to_seq IS NULL AND NOT v.deleted AND v.kind IN ('page', 'entry')
       AND v.path = ANY($2)`,
    [[...new Set(places.map(({ path }) => path))]],
  );
  const ids = new Map(rows.map(({ id, path, locale }) => [`${locale} ${path}`, id]));
  const nodes = new Map(
    (await view.nodes([...new Set(ids.values())], { track: 'live' })).map((node) => [node.id, node]),
  );
  const found = new Map<string, GraphNode>();
  for (const { asked, path, locale } of places) {
    const home = path === '/' ? await homeIn(view, site, locale, { track: 'live' }) : undefined;
    const node = home ?? nodes.get(ids.get(`${locale} ${path}`) ?? '');
    if (node) found.set(asked, node);
  }
  return found;
}
