import { breadcrumbs } from './breadcrumbs.ts';
import { contextOf, type EntryCard, link, type NavItem, type PreviewView, type SiteFrame } from './context.ts';
import { entryList } from './entry-list.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { type ListPage, pageLinks } from './page-links.ts';

export type TermInput = SiteFrame & {
  /** Its public path. */
  path: string;
  title: string;
  description?: string | undefined;
  /** What it stands under. */
  trail?: readonly NavItem[];
  /** The terms right below it. */
  terms: readonly NavItem[];
  /** One page of what is sorted under it, newest first. */
  entries: readonly EntryCard[];
  page?: ListPage;
  view?: PreviewView;
};

/** What is sorted under a term, or the terms of a taxonomy. */
export function renderTerm({
  path,
  title,
  description,
  trail = [],
  terms,
  entries,
  page = { number: 1 },
  view,
  ...frame
}: TermInput): string {
  const { site } = frame;
  const locale = frame.locale ?? site.defaultLocale;
  const context = contextOf(frame, { path, locale, preview: view !== undefined });
  const { words } = context;
  const { number } = page;
  return layout({
    context,
    view,
    title: number > 1 ? `${title} (${number})` : title,
    ...(description !== undefined && { description }),
    noindex: site.seo?.noindex,
    canonical: path,
    main: html`${breadcrumbs(context, trail)}
<div class="column">
<header class="entry-header"><h1>${title}</h1>${description && html`<p class="lead">${description}</p>`}</header>
${terms.length > 0 && html`<ul class="tags">${terms.map((term) => html`<li>${link(context, term.path, term.label)}</li>`)}</ul>`}
${entries.length > 0 ? entryList(context, entries, 2) : terms.length === 0 && html`<p>${words.empty}</p>`}
${pageLinks(context, page)}
</div>`,
  });
}
