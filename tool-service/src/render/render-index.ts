import type { ContentTypeBody, SiteBody } from '@cloudhal/shared/site/shapes';
import type { Context, EntryCard, NavItem } from './context.ts';
import { link } from './context.ts';
import { entryList } from './entry-list.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { wordsFor } from './words.ts';

export type IndexInput = {
  site: SiteBody;
  contentType: ContentTypeBody;
  /** One page of them, newest first. */
  entries: readonly EntryCard[];
  basePath: string;
  nav?: NavItem[];
  /** This page's number, from 1, and the paths of its neighbours, such as `/articles/page/2`. */
  page?: { number: number; newer?: string; older?: string };
  /** What the list is called; the type's title when absent. */
  title?: string;
  path?: string;
  locale?: string;
};

/** The list of a type's entries. */
export function renderIndex({
  site,
  contentType,
  entries,
  basePath,
  nav = [],
  page = { number: 1 },
  ...rest
}: IndexInput): string {
  const { path = contentType.pathPrefix, locale = site.defaultLocale, title = contentType.title } = rest;
  const ids = new Set(['content']);
  const words = wordsFor(locale);
  const context: Context = { site, basePath, path, preview: false, locale, words, ids };
  const { number, newer, older } = page;
  return layout({
    context,
    nav,
    title: number > 1 ? `${title} (${number})` : title,
    description: contentType.description,
    noindex: site.seo?.noindex,
    canonical: path,
    main: html`<div class="column">
<header class="entry-header"><h1>${title}</h1></header>
${entries.length > 0 ? entryList(context, entries, 2) : html`<p>${words.empty}</p>`}
${
  (newer || older) &&
  html`<nav class="pages" aria-label="${words.pages}">${newer ? link(context, newer, `← ${words.newer}`) : html`<span></span>`}${
    older && link(context, older, `${words.older} →`)
  }</nav>`
}
</div>`,
  });
}
