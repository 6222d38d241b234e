import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import { LocaleArg, Site } from '../arguments.ts';
import { MenuHeadData, menuHead } from './menu-data.ts';

export const listMenus = readTool({
  name: 'list_menus',
  title: 'List menus',
  description: 'The menus of each locale. Those named header and footer are shown there on every page.',
  scopes: ['content:read'],
  toolsets: ['design'],
  input: Input({ site: Site, locale: LocaleArg }),
  output: Type.Object({ menus: Type.Array(MenuHeadData) }),
  async run({ locale }, view) {
    const { items } = await view.list({
      kind: 'menu',
      sort: 'title',
      limit: 100,
      ...(locale !== undefined && { locale }),
    });
    return {
      data: { menus: items.map((node) => ({ ...menuHead(node), status: node.status })) },
      ...(items.length === 0 && {
        next: ['Make one with set_menu; without a header menu the pages at the top are shown.'],
      }),
    };
  },
});
