import type { MenuItem } from '@cloudhal/shared/site/menu';
import type { Link } from './node.ts';
import { hrefLink } from './words.ts';

/** What a menu's items lead to, at every depth. */
export function menuLinks(items: readonly MenuItem[]): Link[] {
  const links = items.flatMap(({ target, children = [] }) => [
    ...(target === undefined
      ? []
      : 'node' in target
        ? [{ role: 'menu', target: target.node }]
        : hrefLink(target.url, 'menu')),
    ...menuLinks(children),
  ]);
  return [...new Map(links.map((link) => [link.target, link])).values()];
}
