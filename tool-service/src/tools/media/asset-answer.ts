import type { GraphNode } from '../../graph/node.ts';
import { assetHead, howToUse } from './asset-data.ts';

/** What is said of an asset that was added, or that was there already; `heard`: what others said on the way to it. */
export function assetAnswer({ node, isNew }: { node: GraphNode<'asset'>; isNew: boolean }, heard: object = {}) {
  return {
    data: assetHead(node, heard),
    rev: node.rev,
    ...(!isNew && { warnings: ['These bytes are an asset already; change what is said of it with update_asset.'] }),
    next: [howToUse(node)],
  };
}
