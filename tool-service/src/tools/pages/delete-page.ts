import { fail } from '@cloudhal/shared/errors';
import { getPage } from '../../content/pages.ts';
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
    const { items: children } = await draft.list({ kind: 'page', parent: node.id, sort: 'path', limit: 10 });
    if (children.length > 0) {
      throw fail('in_use', { node: node.id, by: children.map((child) => `its page ${child.body.path}`) });
    }
    const { homePage } = (await draft.get('site', draft.siteId)).body;
    if (homePage === node.id) throw fail('in_use', { node: node.id, by: 'the site, as its home page' });
    const { rev: after, warnings } = await removeNode(draft, node, rev, { unpublish: false, onInboundLinks });
    return { data: { ...pageHead(node), rev: after }, rev: after, ...(warnings.length > 0 && { warnings }) };
  },
});
