import { getPage } from '../../content/pages.ts';
import { refuseNeededPage } from '../../content/uses.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { InboundLinks, Note, PageRef, Rev, Site } from '../arguments.ts';
import { removeNode } from '../remove-node.ts';
import { PageHeadData, pageHead } from './page-data.ts';

export const deletePage = writeTool({
  name: 'delete_page',
  title: 'Delete a page',
  description:
    'Moves a page to the trash; restore_node brings it back. Refused while readers see it or while it has pages under it.',
  effect: 'delete',
  scopes: ['content:delete'],
  toolsets: ['editorial'],
  hints: { destructive: true, idempotent: true },
  assess: true,
  exclusive: true,
  input: Input({ site: Site, page: PageRef, rev: Rev('get_page'), onInboundLinks: InboundLinks, note: Note }),
  output: PageHeadData,
  async run({ page, rev, onInboundLinks = 'refuse' }, draft) {
    const node = await getPage(draft, page);
    await refuseNeededPage(draft, node);
    const { rev: after, warnings } = await removeNode(draft, node, rev, { unpublish: false, onInboundLinks });
    return { data: { ...pageHead(node), rev: after }, rev: after, ...(warnings.length > 0 && { warnings }) };
  },
});
