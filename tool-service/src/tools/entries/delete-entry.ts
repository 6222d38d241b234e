import { Type } from 'typebox';
import { Input, writeTool } from '../../define-tool.ts';
import { EntryRef, InboundLinks, Note, Rev, Site } from '../arguments.ts';
import { removeNode } from '../remove-node.ts';
import { EntryHeadData, entryHead } from './entry-data.ts';

export const deleteEntry = writeTool({
  name: 'delete_entry',
  title: 'Delete an entry',
  description:
    'Moves an entry to the trash; restore_node brings it back. Refused while readers see it, unless unpublish is true.',
  effect: 'delete',
  scopes: ['content:delete'],
  toolsets: ['editorial'],
  hints: { destructive: true, idempotent: true },
  assess: true,
  exclusive: true,
  input: Input({
    site: Site,
    entry: EntryRef,
    rev: Rev('get_entry'),
    unpublish: Type.Optional(Type.Boolean({ description: 'Also takes it off the live site.' })),
    onInboundLinks: InboundLinks,
    note: Note,
  }),
  output: EntryHeadData,
  async run({ entry, rev, unpublish = false, onInboundLinks = 'refuse' }, draft) {
    const node = await draft.get('entry', entry);
    const { rev: after, warnings } = await removeNode(draft, node, rev, { unpublish, onInboundLinks });
    return { data: { ...entryHead(node), rev: after }, rev: after, ...(warnings.length > 0 && { warnings }) };
  },
});
