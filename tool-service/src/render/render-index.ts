import type { ContentTypeBody } from '@cloudhal/shared/site/shapes';
import { contextOf, type EntryCard, type PreviewView, type SiteFrame } from './context.ts';
import { entryList } from './entry-list.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { type ListPage, pageLinks } from './page-links.ts';

export type IndexInput = SiteFrame & {
  contentType: ContentTypeBody;
  /** One page of them, newest first. */
  entries: readonly EntryCard[];
  page?: ListPage;
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
  const { number } = page;
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
${pageLinks(context, page)}
</div>`,
  });
}
