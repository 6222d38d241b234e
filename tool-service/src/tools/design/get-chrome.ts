import { Type } from 'typebox';
import { slotsIn } from '../../chrome/slots.ts';
import { Input, readTool } from '../../define-tool.ts';
import { findSiteNode } from '../../design/site-node.ts';
import type { NodeQuery } from '../../graph/node.ts';
import { Site, SnapshotOfView, stateAsked, ViewArg } from '../arguments.ts';

const Open = Type.Unsafe<object>({ type: 'object' });

export const getChrome = readTool({
  name: 'get_chrome',
  title: 'Read header and footer',
  description: 'Header, banner and footer of the published pages: their slots, and the menus that they use.',
  scopes: ['design:read'],
  toolsets: ['design'],
  input: Input({ site: Site, view: ViewArg, snapshot: SnapshotOfView }),
  output: Type.Object({
    rev: Type.Integer(),
    node: Type.Optional(Type.String()),
    slots: Open,
    own: Open,
    menus: Type.Array(Open),
  }),
  async run({ site: _, ...asked }, view) {
    const at = stateAsked(asked);
    const node = await findSiteNode(view, 'chrome', at);
    const slots = slotsIn((await view.head()).defaultLocale, node?.body);
    const names = [slots['header.menu'], slots['footer.menu']];
    const query: NodeQuery & { kind: 'menu' } = { kind: 'menu', at, sort: 'title', limit: 100 };
    const menus = (await view.list(query)).items.filter(({ body }) => names.includes(body.name));
    return {
      data: {
        rev: node?.rev ?? 0,
        ...(node && { node: node.id }),
        slots,
        own: node?.body.slots ?? {},
        menus: menus.map(({ id, body, status }) => ({ id, name: body.name, locale: body.locale, status })),
      },
    };
  },
});
