import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { Input, writeTool } from '../../define-tool.ts';
import { Note, Rev, Site } from '../arguments.ts';
import { RedirectData, RedirectRef, redirectData } from './redirect-data.ts';

const Item = Type.Object({ redirect: RedirectRef, rev: Rev('list_redirects') }, { additionalProperties: false });

export const deleteRedirect = writeTool({
  name: 'delete_redirect',
  title: 'Delete redirects',
  description:
    'Moves redirects to the trash, all of them or none; a person decides. Readers notice once it is published.',
  effect: 'person',
  scopes: ['redirects:write'],
  toolsets: ['release'],
  hints: { destructive: true, idempotent: true },
  exclusive: true,
  assess: true,
  input: Input({
    site: Site,
    items: Type.Array(Item, { minItems: 1, maxItems: 50, description: 'Redirects.' }),
    note: Note,
  }),
  output: Type.Object({ redirects: Type.Array(RedirectData) }),
  async run({ items }, draft) {
    const removed = [];
    const seen = new Set<string>();
    for (const [index, { redirect, rev }] of items.entries()) {
      const node = await draft.get('redirect', redirect);
      if (seen.has(node.id))
        throw fail('validation_failed', { path: `items[${index}].redirect`, expected: 'each redirect once' });
      seen.add(node.id);
      removed.push({ ...redirectData(node), rev: (await draft.remove(node.id, rev)).rev });
    }
    return { data: { redirects: removed }, next: ['Publish them: until then readers are still led on.'] };
  },
});
