import { kindRow } from './kinds.ts';
import type { GraphNode } from './node.ts';

/** The ids of the people and nodes that a node names in its bylines and fields, each once. */
export function namedNodes({ kind, body }: Pick<GraphNode, 'kind' | 'body'>): string[] {
  const links = kindRow(kind).links?.(body as never) ?? [];
  const named = links.filter(({ role }) => role === 'byline' || role.startsWith('field:'));
  return [...new Set(named.map(({ target }) => target))];
}

/** The ids of the assets that a node shows or links to, each once. */
export function shownAssets({ kind, body }: Pick<GraphNode, 'kind' | 'body'>): string[] {
  const links = kindRow(kind).links?.(body as never) ?? [];
  return [...new Set(links.map(({ target }) => target).filter((target) => target.startsWith('as_')))];
}
