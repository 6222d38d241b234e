import { isId } from '@cloudhal/shared/ids';
import type { ContentTypeBody } from '@cloudhal/shared/site/shapes';
import type { Context } from './context.ts';
import { link } from './context.ts';
import { timeOf } from './entry-list.ts';
import { picture } from './figure.ts';
import { type Html, html } from './html.ts';
import { assetAddress } from './media.ts';
import { type References, referenceLink } from './references.ts';

/** Fields that the page shows elsewhere, or that are not for readers. */
const shownElsewhere = new Set([
  'title',
  'summary',
  'publishedOn',
  'seoTitle',
  'seoDescription',
  'source',
  'leadImage',
]);

/** The fields of a content type of one's own, such as the date and place of an event, in the order of its schema. */
export function fieldList(
  context: Context,
  fields: Record<string, unknown>,
  contentType: ContentTypeBody,
  references: References = new Map(),
): Html | undefined {
  const properties = (contentType.fields.properties ?? {}) as Record<string, { title?: unknown } | undefined>;
  const rows = [...new Set([...(contentType.order ?? []), ...Object.keys(properties)])]
    .filter((name) => Object.hasOwn(fields, name) && !shownElsewhere.has(name))
    .map((name) => ({ label: labelOf(name, properties[name]?.title), value: shown(context, references, fields[name]) }))
    .filter((row) => row.value !== undefined);
  if (rows.length === 0) return undefined;
  return html`<dl class="facts">${rows.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

/** `startsOn` → Starts on. */
function labelOf(name: string, title: unknown): string {
  if (typeof title === 'string' && title !== '') return title;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function shown(context: Context, references: References, value: unknown): Html | string | undefined {
  if (typeof value === 'boolean') return value ? context.words.yes : context.words.no;
  if (typeof value === 'number') return String(value);
  if (isId(value)) {
    const file = context.assets.get(value);
    if (file)
      return picture(context, value) ?? html`<a href="${assetAddress(context, value, file)}">${file.filename}</a>`;
    const known = references.get(value);
    return known && referenceLink(context, known);
  }
  if (typeof value === 'string' && value !== '') return textOf(context, value);
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item) => shown(context, references, item)).filter((item) => item !== undefined);
  return items.length === 0 ? undefined : html`${items.map((item, index) => html`${index > 0 && ', '}${item}`)}`;
}

function textOf(context: Context, value: string): Html | string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return timeOf(value, context.locale);
  return /^https?:\/\/\S+$/.test(value) ? link(context, value, value.replace(/^https?:\/\//, '')) : value;
}
