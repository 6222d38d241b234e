import type { Correction } from '@cloudhal/shared/site/correction';
import type { ContentTypeBody, EntryBody } from '@cloudhal/shared/site/shapes';
import { breadcrumbs } from './breadcrumbs.ts';
import { type Comments, commentsOf } from './comments.ts';
import {
  type Context,
  contextOf,
  type EntryCard,
  link,
  type NavItem,
  type PreviewView,
  type SiteFrame,
} from './context.ts';
import { corrections, retractions, withOriginal } from './corrections.ts';
import { entryList, entryPath, textField, timeOf } from './entry-list.ts';
import { fieldList } from './field-list.ts';
import { figure } from './figure.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { prose } from './prose.ts';
import { type References, referenceLink } from './references.ts';

export type EntryInput = SiteFrame & {
  entry: EntryBody;
  contentType: ContentTypeBody;
  /** Where it is served; follows from the type and the slug when absent. */
  path?: string;
  /** Lists that it is in. */
  trail?: readonly NavItem[];
  related?: readonly EntryCard[];
  /** Its terms, those that readers know. */
  terms?: readonly NavItem[];
  /** The people and nodes that the entry names, those that readers know. */
  references?: References;
  /** What was corrected in the entry that this one is a translation of. */
  original?: { locale: string; corrections: readonly Correction[] };
  /** Where readers may comment, or could. */
  comments?: Comments;
  view?: PreviewView;
};

/** An entry: title, summary, date and bylines, the type's other fields, and the body. */
export function renderEntry({
  entry,
  contentType,
  trail = [],
  related = [],
  terms = [],
  references = new Map(),
  original,
  comments,
  view,
  path: place,
  ...frame
}: EntryInput): string {
  const { locale, fields } = entry;
  const path = place ?? entryPath(contentType, entry);
  const context = contextOf(frame, {
    path,
    locale,
    preview: view !== undefined,
    ids: ['related', 'corrections', 'comments'],
  });
  const notes = withOriginal(entry.corrections ?? [], original);
  const title = textField(fields, 'title') ?? entry.slug;
  const summary = textField(fields, 'summary');
  const image = textField(fields, 'leadImage');
  const lead = image && figure(context, image, { eager: true });
  return layout({
    context,
    view,
    title: textField(fields, 'seoTitle') ?? title,
    description: textField(fields, 'seoDescription') ?? summary,
    noindex: frame.site.seo?.noindex,
    canonical: path,
    ogType: 'article',
    image,
    main: html`${breadcrumbs(context, trail)}
<article class="column">
<header class="entry-header">
${meta(context, entry, references)}
<h1>${title}</h1>
${summary && html`<p class="lead">${summary}</p>`}
</header>
${lead}
${retractions(notes, context)}
${fieldList(context, fields, contentType, references)}
${entry.body.trim() !== '' && html`<div class="prose">${prose(entry.body, { ...context, top: 2, untrusted: entry.untrusted, names: context.words })}</div>`}
${corrections(notes, context)}
${tags(context, terms)}
</article>
${related.length > 0 && html`<aside class="related column" aria-labelledby="related"><h2 id="related">${context.words.more}</h2>${entryList(context, related, 3)}</aside>`}
${comments && commentsOf(context, comments)}`,
  });
}

function meta(context: Context, entry: EntryBody, references: References): Html | undefined {
  const date = textField(entry.fields, 'publishedOn');
  const people = (entry.bylines ?? []).flatMap((id) => references.get(id) ?? []);
  const parts = [
    date && timeOf(date, context.locale),
    ...people.map((person) => referenceLink(context, person)),
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  return html`<p class="meta">${parts.map((part) => html`<span>${part}</span>`)}</p>`;
}

function tags(context: Context, terms: readonly NavItem[]): Html | undefined {
  if (terms.length === 0) return undefined;
  return html`<ul class="tags">${terms.map(({ label, path }) => html`<li>${link(context, path, label)}</li>`)}</ul>`;
}
