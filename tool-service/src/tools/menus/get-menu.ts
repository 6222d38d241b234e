import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { siteLocale } from '../../content/entries.ts';
import { findMenu, hiddenItems, shownItems } from '../../content/menus.ts';
import { Input, readTool } from '../../define-tool.ts';
import { LocaleArg, Site } from '../arguments.ts';
import { MenuHeadData, MenuRef, menuHead } from './menu-data.ts';

export const getMenu = readTool({
  name: 'get_menu',
  title: 'Read a menu',
  description: 'One menu with its items, what they lead to and whether readers see it, and its rev for set_menu.',
  scopes: ['content:read'],
  toolsets: ['design'],
  input: Input({ site: Site, menu: MenuRef, locale: LocaleArg }),
  output: Type.Object({
    ...MenuHeadData.properties,
    status: Type.String(),
    items: Type.Array(Type.Unsafe<object>({ type: 'object' })),
  }),
  async run({ menu, locale }, view) {
    const node = await findMenu(view, menu, await siteLocale(view, locale));
    if (!node) throw fail('not_found', { what: 'menu', id: menu });
    const items = await shownItems(view, node.body.items);
    const warnings = hiddenItems(items);
    return {
      data: { ...menuHead(node), status: await view.status(node), items },
      ...(warnings.length > 0 && { warnings }),
    };
  },
});
