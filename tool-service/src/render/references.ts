import type { Context } from './context.ts';
import { link } from './context.ts';
import { type Html, html } from './html.ts';

/** A node that an entry names, as readers may know it: a person, a page, another entry. */
export type Reference = { title: string; path?: string; url?: string };
/** By id. What is not in it is not for readers. */
export type References = ReadonlyMap<string, Reference>;

/** What readers see of a reference: its title, which leads to it. */
export function referenceLink(context: Context, { title, path, url }: Reference): Html {
  const href = path ?? url;
  return href === undefined ? html`${title}` : link(context, href, title);
}
