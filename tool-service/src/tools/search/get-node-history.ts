import { Type } from 'typebox';
import { getNode } from '../../content/find-node.ts';
import { Input, readTool } from '../../define-tool.ts';
import { Cursor, Limit, NodeRef, Site } from '../arguments.ts';

export const getNodeHistory = readTool({
  name: 'get_node_history',
  title: 'Read the history of a node',
  description: 'The revs of the draft of a node, newest first: when, by which tool, who, under which skill.',
  scopes: ['content:read'],
  toolsets: ['editorial'],
  input: Input({ site: Site, node: NodeRef, cursor: Cursor, limit: Limit() }),
  output: Type.Object({ revisions: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ node: ref, cursor: from, limit }, view) {
    const { id } = await getNode(view, ref, { trash: true });
    const page = { ...(from !== undefined && { cursor: from }), ...(limit !== undefined && { limit }) };
    const { items, cursor } = await view.history(id, page);
    return { data: { node: id, revisions: items }, ...(cursor !== undefined && { cursor }) };
  },
});
