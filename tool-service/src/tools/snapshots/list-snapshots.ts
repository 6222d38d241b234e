import { Type } from 'typebox';
import { getNode } from '../../content/find-node.ts';
import { Input, readTool } from '../../define-tool.ts';
import { Cursor, Limit, Since, Site } from '../arguments.ts';
import { SnapshotData, snapshotData } from './snapshot-data.ts';

export const listSnapshots = readTool({
  name: 'list_snapshots',
  title: 'List snapshots',
  description: 'Snapshots, newest first: what changed the site, who, how, and how many nodes.',
  scopes: ['snapshots:read'],
  toolsets: ['editorial', 'release'],
  input: Input({
    site: Site,
    node: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: 'Only those that changed this node: its id or path.' }),
    ),
    actor: Type.Optional(Type.String({ maxLength: 100, description: 'Only those that this principal made.' })),
    since: Since,
    labelled: Type.Optional(Type.Boolean({ description: 'Only restore points.' })),
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Type.Object({ snapshots: Type.Array(SnapshotData) }),
  async run({ site: _, node, ...query }, view) {
    const id = node === undefined ? undefined : (await getNode(view, node, { trash: true })).id;
    const { items, cursor } = await view.snapshots({ ...query, ...(id !== undefined && { node: id }) });
    return { data: { snapshots: items.map(snapshotData) }, ...(cursor !== undefined && { cursor }) };
  },
});
