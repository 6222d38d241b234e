import { Type } from 'typebox';
import { checkSlot, type Slot } from '../../chrome/slots.ts';
import { mergeFields } from '../../content/merge-fields.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { saveSiteNode } from '../../design/site-node.ts';
import { Members, Note, Site } from '../arguments.ts';

export const setChrome = writeTool({
  name: 'set_chrome',
  title: 'Change header and footer',
  description:
    'Changes slots by name, such as banner.text or footer.menu (banner.text.de for a locale), and leaves the rest.',
  effect: 'edit',
  scopes: ['design:write'],
  toolsets: ['design'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    rev: Type.Integer({ minimum: 0, description: 'The rev that get_chrome returned.' }),
    set: Type.Optional(Members('Slots to set.')),
    unset: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50, description: 'Slots to remove.' }),
    ),
    note: Note,
  }),
  output: Type.Object({ id: Type.String(), slots: Type.Unsafe<object>({ type: 'object' }) }),
  async run({ rev, set = {}, unset }, draft) {
    const { locales } = await draft.head();
    const checked = Object.entries(set).map(([name, value]) => [name, checkSlot(name, value, locales)]);
    const node = await saveSiteNode(draft, 'chrome', rev, { slots: {} }, ({ slots }) => ({
      slots: mergeFields(slots, Object.fromEntries(checked), unset) as Record<string, Slot>,
    }));
    const next = [`Show it with preview_page of ${node.id}; publish makes it live.`];
    return { data: { id: node.id, slots: node.body.slots }, rev: node.rev, next };
  },
});
