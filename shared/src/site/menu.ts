/** Menus: ordered trees of links. */
import { type Static, Type } from 'typebox';
import { Locale } from './shapes.ts';
import { Slug } from './slug.ts';

export type MenuItem = {
  label: string;
  /** The id of a node, or a path of the site or an http(s) or mailto address; absent for a heading over its children. */
  target?: { node: string } | { url: string };
  children?: MenuItem[];
};

export const MenuBody = Type.Object({
  /** `header` and `footer` are shown there by the theme. */
  name: Slug,
  locale: Locale,
  items: Type.Array(Type.Unsafe<MenuItem>({ type: 'object' })),
});
export type MenuBody = Static<typeof MenuBody>;
