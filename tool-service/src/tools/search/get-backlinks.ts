import { nodeKinds } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import { getNode } from '../../content/find-node.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { Backlink } from '../../graph/node.ts';
import { Choice, Cursor, Limit, NodeRef, Site } from '../arguments.ts';
import { untrustedIds } from '../untrusted.ts';

export const getBacklinks = readTool({
  name: 'get_backlinks',
  title: 'What links to a node',
  description: 'The pages and entries whose drafts refer to a node: by link, as child page, as byline, as home page.',
  scopes: ['content:read'],
  toolsets: ['editorial'],
  input: Input({
    site: Site,
    node: NodeRef,
    kinds: Type.Optional(
      Type.Array(Choice(nodeKinds, 'A kind.'), {
        maxItems: nodeKinds.length,
        description: 'Only from these kinds of nodes.',
      }),
    ),
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Type.Object({ backlinks: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ node: ref, kinds, cursor: from, limit }, view) {
    const node = await getNode(view, ref);
    const page = {
      ...(kinds && { kinds }),
      ...(from !== undefined && { cursor: from }),
      ...(limit !== undefined && { limit }),
    };
    const { items, cursor } = await view.backlinks(node, page);
    const untrusted = await untrustedIds(
      view,
      items.map(({ source }) => source),
    );
    return {
      data: { backlinks: items.map((link) => (untrusted.has(link.source) ? withoutText(link) : link)) },
      ...(cursor !== undefined && { cursor }),
    };
  },
});

function withoutText({ title: _, ...link }: Backlink) {
  return link;
}
