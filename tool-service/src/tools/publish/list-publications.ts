import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import { Cursor, Limit, Site } from '../arguments.ts';
import { SnapshotData, snapshotData } from '../snapshots/snapshot-data.ts';

export const listPublications = readTool({
  name: 'list_publications',
  title: 'List publications',
  description: 'The snapshots that changed what readers see, newest first: publishes, unpublishes and rollbacks.',
  scopes: ['content:read'],
  toolsets: ['release'],
  input: Input({ site: Site, cursor: Cursor, limit: Limit() }),
  output: Type.Object({ publications: Type.Array(SnapshotData) }),
  async run({ cursor: from, limit }, view) {
    const page = { ...(from !== undefined && { cursor: from }), ...(limit !== undefined && { limit }) };
    const { items, cursor } = await view.snapshots({ track: 'live', ...page });
    return { data: { publications: items.map(snapshotData) }, ...(cursor !== undefined && { cursor }) };
  },
});
