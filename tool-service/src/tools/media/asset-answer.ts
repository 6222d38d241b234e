import type { GraphNode } from '../../graph/node.ts';
import { assetHead, howToUse } from './asset-data.ts';

/** What is said of an asset that was added, or that was there already. */
export function assetAnswer({ node, isNew }: { node: GraphNode<'asset'>; isNew: boolean }) {
  return {
    data: assetHead(node),
    rev: node.rev,
    ...(!isNew && { warnings: ['These bytes are an asset already; change what is said of it with update_asset.'] }),
    next: [howToUse(node)],
  };
}
