import type { ContentTypeBody } from '@cloudhal/shared/site/shapes';
import { contextOf, type EntryCard, link, type PreviewView, type SiteFrame } from './context.ts';
import { entryList } from './entry-list.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

export type IndexInput = SiteFrame & {
  contentType: ContentTypeBody;
  /** One page of them, newest first. */
  entries: readonly EntryCard[];
  /** This page's number, from 1, and the paths of its neighbours, such as `/articles/page/2`. */
  page?: { number: number; newer?: string; older?: string };
  /** What the list is called; the type's title when absent. */
  title?: string;
  path?: string;
  view?: PreviewView;
};

/** The list of a type's entries. */
export function renderIndex({
  contentType,
  entries,
  page = { number: 1 },
  title = contentType.title,
  path = contentType.pathPrefix,
  view,
  ...frame
}: IndexInput): string {
  const { site } = frame;
  const locale = frame.locale ?? site.defaultLocale;
  const context = contextOf(frame, { path, locale, preview: view !== undefined });
  const { words } = context;
  const { number, newer, older } = page;
  return layout({
    context,
    view,
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
