import { fail } from '@cloudhal/shared/errors';
import type { Draft } from '../graph/draft.ts';
import { prefixOf } from '../graph/kinds.ts';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';

type SiteKind = 'design' | 'chrome';

/** The id of the one node of its kind that a site has; it follows from the site's. */
export function siteNodeId(kind: SiteKind, siteId: string): string {
  return `${prefixOf(kind)}${siteId.slice(siteId.indexOf('_'))}`;
}

/** Absent until it is set for the first time. */
export async function findSiteNode<K extends SiteKind>(
  view: View,
  kind: K,
  at?: At,
): Promise<GraphNode<K> | undefined> {
  const [node] = await view.nodes([siteNodeId(kind, view.siteId)], at);
  return node as GraphNode<K> | undefined;
}

/** Changes the one node of its kind; at rev 0 it is made. */
export async function saveSiteNode<K extends SiteKind>(
  draft: Draft,
  kind: K,
  rev: number,
  first: GraphNode<K>['body'],
  change: (body: GraphNode<K>['body']) => GraphNode<K>['body'],
): Promise<GraphNode<K>> {
  const id = siteNodeId(kind, draft.siteId);
  if (await findSiteNode(draft, kind)) return draft.save(kind, id, rev, change);
  if (rev !== 0) throw fail('not_found', { what: kind, id });
  return draft.restore({ id, kind }, undefined, change(first));
}
