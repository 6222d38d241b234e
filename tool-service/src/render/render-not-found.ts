import type { SiteBody } from '@cloudhal/shared/site/shapes';
import type { Context, NavItem } from './context.ts';
import { link } from './context.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { wordsFor } from './words.ts';

/** What a reader sees at an address of the site where nothing is. */
export function renderNotFound({
  site,
  basePath,
  nav = [],
}: {
  site: SiteBody;
  basePath: string;
  nav?: NavItem[];
}): string {
  const locale = site.defaultLocale;
  const words = wordsFor(locale);
  const ids = new Set(['content']);
  // No path of its own: it answers for every address that does not exist.
  const context: Context = { site, basePath, path: '/404', preview: false, locale, words, ids };
  return layout({
    context,
    nav,
    title: words.notFoundTitle,
    noindex: true,
    main: html`<div class="column"><h1>${words.notFoundTitle}</h1><p class="lead">${words.notFoundText}</p><p>${link(context, '/', words.backHome)}</p></div>`,
  });
}
