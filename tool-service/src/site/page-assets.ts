import type { AssetBody } from '@cloudhal/shared/site/asset';
import { shownAssets } from '../graph/named-nodes.ts';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import type { EntryCard } from '../render/index.ts';
import type { Assets } from '../render/media.ts';

/** What a node shows, in the state that the node is looked at in. */
export function assetsOf(view: View, node: GraphNode, at: At): Promise<Assets> {
  return assetsAt(view, shownAssets(node), at);
}

/** The images of entries in a list. */
export function cardAssets(view: View, cards: readonly EntryCard[], at: At): Promise<Assets> {
  const images = cards.flatMap(({ image }) => image ?? []);
  return assetsAt(view, [...new Set(images)], at);
}

export async function assetsAt(view: View, ids: readonly string[], at: At): Promise<Assets> {
  const nodes = ids.length === 0 ? [] : await view.nodes(ids, at);
  return new Map(nodes.flatMap(({ id, kind, body }) => (kind === 'asset' ? [[id, body as AssetBody]] : [])));
}
