import type { ContentTypeBody, EntryBody } from '@cloudhal/shared/site/shapes';
import type { Context, EntryCard } from './context.ts';
import { link } from './context.ts';
import { picture } from './figure.ts';
import { type Html, html } from './html.ts';
import { longDate } from './words.ts';

/** Where an entry stands on the published site. */
export function entryPath(contentType: Pick<ContentTypeBody, 'pathPrefix'>, entry: Pick<EntryBody, 'slug'>): string {
  return `${contentType.pathPrefix.replace(/\/+$/, '')}/${entry.slug}`;
}

/** What lists show of an entry. */
export function entryCard(entry: Pick<EntryBody, 'slug' | 'fields'>, contentType: ContentTypeBody): EntryCard {
  return {
    title: textField(entry.fields, 'title') ?? entry.slug,
    path: entryPath(contentType, entry),
    summary: textField(entry.fields, 'summary'),
    date: textField(entry.fields, 'publishedOn'),
    image: textField(entry.fields, 'leadImage'),
  };
}

export function textField(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Its title is beside it. */
const thumbnail = { class: 'thumbnail', decorative: true, sizes: '10rem' };

/** Entries one under the other, their titles as headings of the given level. */
export function entryList(context: Context, cards: readonly EntryCard[], level: 2 | 3): Html {
  return html`<ul class="entries">${cards.map(
    (
      card,
    ) => html`<li>${card.image && picture(context, card.image, thumbnail)}${card.date && html`<p class="meta">${timeOf(card.date, context.locale)}</p>`}${heading(
      level,
      link(context, card.path, card.title),
    )}${card.summary && html`<p>${card.summary}</p>`}</li>
`,
  )}</ul>`;
}

export function timeOf(date: string, locale: string): Html {
  return html`<time datetime="${date}">${longDate(date, locale)}</time>`;
}

export function heading(level: 1 | 2 | 3, content: Html | string): Html {
  if (level === 1) return html`<h1>${content}</h1>`;
  return level === 2 ? html`<h2>${content}</h2>` : html`<h3>${content}</h3>`;
}
