import { contextOf, link, type SiteFrame } from './context.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

/** What a reader sees at an address of the site where nothing is. */
export function renderNotFound(frame: SiteFrame): string {
  // No path of its own: it answers for every address that does not exist.
  const context = contextOf(frame, { path: '/404', locale: frame.locale ?? frame.site.defaultLocale });
  const { words } = context;
  return layout({
    context,
    title: words.notFoundTitle,
    noindex: true,
    main: html`<div class="column"><h1>${words.notFoundTitle}</h1><p class="lead">${words.notFoundText}</p><p>${link(context, '/', words.backHome)}</p></div>`,
  });
}
