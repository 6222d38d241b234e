import { fail } from '@cloudhal/shared/errors';
import type { Draft } from '../graph/draft.ts';
import { kindRow } from '../graph/kinds.ts';
import type { Backlink, GraphNode } from '../graph/node.ts';
import { mostEntries } from './migrate-entries.ts';

export async function readersSee(draft: Draft, { id }: GraphNode): Promise<boolean> {
  return (await draft.nodes([id], { track: 'live' })).length > 0;
}

/** Refuses to take away what readers see. */
export async function refuseLive(draft: Draft, node: GraphNode): Promise<void> {
  if (await readersSee(draft, node)) throw fail('in_use', { node: node.id, by: 'the live site; unpublish it first' });
}

/** What else links to a node, as this call leaves the draft; about 20 at a time. */
export async function linksTo(draft: Draft, node: GraphNode): Promise<{ links: Backlink[]; more: boolean }> {
  const names = [node.id, node.path];
  const links: Backlink[] = [];
  let cursor: string | undefined;
  do {
    const page = await draft.backlinks(node, { limit: 20, ...(cursor !== undefined && { cursor }) });
    const sources = await draft.nodes(page.items.map(({ source }) => source));
    const linking = sources.filter(
      ({ id, kind, body }) =>
        id !== node.id &&
        kindRow(kind)
          .links?.(body as never)
          .some(({ target }) => names.includes(target)),
    );
    const ids = new Set(linking.map(({ id }) => id));
    links.push(...page.items.filter(({ source }) => ids.has(source)));
    cursor = page.cursor;
  } while (cursor !== undefined && links.length === 0);
  return { links, more: cursor !== undefined };
}

/** Refuses to take away what something links to. */
export async function refuseLinked(draft: Draft, node: GraphNode): Promise<void> {
  const { links, more } = await linksTo(draft, node);
  if (links.length === 0) return;
  const by = links.slice(0, 5).map(({ source, kind }) => `${kind} ${source}`);
  throw fail('in_use', { node: node.id, by: more || links.length > 5 ? [...by, 'others'] : by });
}

/** Refuses to take away the home page, and a page with others under it. */
export async function refuseNeededPage(draft: Draft, page: GraphNode<'page'>): Promise<void> {
  const children = await pagesUnder(draft, page);
  if (children.length > 0) {
    throw fail('in_use', { node: page.id, by: children.slice(0, 10).map(({ body }) => `its page ${body.path}`) });
  }
  const { homePage } = (await draft.get('site', draft.siteId)).body;
  if (homePage === page.id) throw fail('in_use', { node: page.id, by: 'the site, as its home page' });
}

/** The pages right under one, as this call leaves the draft. */
export async function pagesUnder(draft: Draft, page: GraphNode<'page'>): Promise<GraphNode<'page'>[]> {
  const stored = await draft.rows<{ id: string }>(
    `SELECT node_id AS id FROM tools.ver WHERE site_id = $1 AND track = 'draft' AND parent = $2 AND to_seq IS NULL
       AND NOT deleted AND kind = 'page' ORDER BY path`,
    [page.id],
  );
  const pages = (await draft.nodes(stored.map(({ id }) => id))) as GraphNode<'page'>[];
  return pages.filter(({ body }) => body.parent === page.id);
}

/** The nodes of a kind that are of a type or taxonomy, as this call leaves the draft; not all of more than `mostEntries`. */
export async function nodesOf<K extends 'entry' | 'term'>(
  draft: Draft,
  kind: K,
  type: string,
): Promise<GraphNode<K>[]> {
  const { items } = await draft.list({ kind, type, sort: 'path', limit: mostEntries + 1 });
  return (await draft.nodes(items.map(({ id }) => id))) as GraphNode<K>[];
}
