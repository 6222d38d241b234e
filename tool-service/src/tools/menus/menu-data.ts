import { Type } from 'typebox';
import { countItems, menuLocations } from '../../content/menus.ts';
import type { GraphNode } from '../../graph/node.ts';

export const MenuRef = Type.String({
  minLength: 1,
  maxLength: 96,
  description: 'Its name, such as header, or its id.',
});

/** What identifies a menu. */
export const MenuHeadData = Type.Object({
  id: Type.String(),
  name: Type.String(),
  locale: Type.String(),
  rev: Type.Integer(),
  count: Type.Integer(),
});

export function menuHead({ id, rev, body }: GraphNode<'menu'>) {
  const location = menuLocations.find((name) => name === body.name);
  return {
    id,
    name: body.name,
    locale: body.locale,
    rev,
    count: countItems(body.items),
    ...(location && { location }),
  };
}
