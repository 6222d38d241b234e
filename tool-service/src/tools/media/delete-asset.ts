import { getAsset } from '../../content/assets.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Note, Rev, Site } from '../arguments.ts';
import { removeNode } from '../remove-node.ts';
import { AssetHeadData, AssetRef, assetHead } from './asset-data.ts';

export const deleteAsset = writeTool({
  name: 'delete_asset',
  title: 'Delete an asset',
  description:
    'Moves an asset to the trash; restore_node brings it back. Refused while anything uses it or it is live.',
  effect: 'delete',
  scopes: ['media:write', 'content:delete'],
  toolsets: ['media'],
  hints: { destructive: true, idempotent: true },
  assess: true,
  exclusive: true,
  input: Input({ site: Site, asset: AssetRef, rev: Rev('get_asset'), note: Note }),
  output: AssetHeadData,
  async run({ asset, rev }, draft) {
    const node = await getAsset(draft, asset);
    const { rev: after } = await removeNode(draft, node, rev, { unpublish: false, onInboundLinks: 'refuse' });
    return { data: { ...assetHead(node), rev: after }, rev: after };
  },
});
