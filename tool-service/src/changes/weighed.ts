import type { Change } from '../graph/draft.ts';
import { shownAssets } from '../graph/named-nodes.ts';
import type { GraphNode } from '../graph/node.ts';

/**
 * The changes by which it is judged how much a call does. An asset that goes live with a node that shows it, or off with it,
 * is part of what happens to the node.
 */
export function weighed(changes: readonly Change[]): Change[] {
  const others = changes.filter(({ kind, track }) => track === 'live' && kind !== 'asset');
  const [before, after] = [shown(others.map((one) => one.before)), shown(others.map((one) => one.after))];
  return changes.filter((change) => {
    if (change.kind !== 'asset' || change.track !== 'live') return true;
    if (!isThere(change.before)) return !after.has(change.id);
    return isThere(change.after) || !before.has(change.id);
  });
}

/** Whether there is something, and all of it is articles. */
export function areArticles(changes: readonly Change[]): boolean {
  return changes.length > 0 && weighed(changes).every(({ before, after }) => isArticle((after ?? before)!.body));
}

function isArticle(body: object): boolean {
  return 'type' in body && 'fields' in body && body.type === 'article';
}

function shown(nodes: readonly (GraphNode | undefined)[]): Set<string> {
  return new Set(nodes.filter(isThere).flatMap(shownAssets));
}

function isThere(node: GraphNode | undefined): node is GraphNode {
  return node !== undefined && !node.deleted;
}
