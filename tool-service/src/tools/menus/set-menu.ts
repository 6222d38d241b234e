import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { siteLocale } from '../../content/entries.ts';
import { findMenu, hiddenItems, menuItems, shownItems } from '../../content/menus.ts';
import { checkSlug } from '../../content/slug.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { LocaleArg, Members, Note, Site } from '../arguments.ts';
import { MenuHeadData, MenuRef, menuHead } from './menu-data.ts';

export const setMenu = writeTool({
  name: 'set_menu',
  title: 'Set a menu',
  description:
    'Replaces all items of a menu at once, or makes the menu. At most 200 items, three levels deep. Readers see it once it is published.',
  effect: 'edit',
  scopes: ['menus:write'],
  toolsets: ['design'],
  hints: { destructive: false, idempotent: true },
  exclusive: true,
  input: Input({
    site: Site,
    menu: MenuRef,
    locale: LocaleArg,
    rev: Type.Integer({ minimum: 0, description: 'The rev that get_menu returned; 0 for a new menu.' }),
    items: Type.Array(Members('An item.'), {
      maxItems: 200,
      description:
        '{label, target: {node: id or path} or {url: path, http(s) or mailto address}, children?: [items]}; without target a heading over its children.',
    }),
    note: Note,
  }),
  output: MenuHeadData,
  async run({ menu, locale: asked, rev, items: given }, draft) {
    const locale = await siteLocale(draft, asked);
    const items = await menuItems(draft, given);
    const there = await findMenu(draft, menu, locale);
    if (!there && (rev !== 0 || menu.startsWith('me_'))) throw fail('not_found', { what: 'menu', id: menu });
    if (there && rev === 0) {
      throw fail('validation_failed', { path: 'rev', expected: 'the rev that get_menu returned' });
    }
    const node = there
      ? await draft.save('menu', there.id, rev, (body) => ({ ...body, items }))
      : await draft.create('menu', { name: checkSlug(menu, 'menu'), locale, items });
    const warnings = hiddenItems(await shownItems(draft, node.body.items));
    return { data: menuHead(node), rev: node.rev, ...(warnings.length > 0 && { warnings }) };
  },
});
