import { fail } from '@cloudhal/shared/errors';
import { compile } from '@cloudhal/shared/schema';
import type { ContentTypeBody, EntryBody } from '@cloudhal/shared/site/shapes';
import { parseBlocks } from '../body/parse-blocks.ts';
import { reconcileBlocks } from '../body/reconcile-blocks.ts';
import type { Draft } from '../graph/draft.ts';
import type { GraphNode } from '../graph/node.ts';
import { checkSlug, slugFrom } from './slug.ts';

export type NewEntry = {
  type: string;
  fields: Record<string, unknown>;
  body?: string;
  slug?: string;
  locale?: string;
  terms?: Record<string, string[]>;
  bylines?: string[];
  untrusted?: boolean;
};

export type EntryChange = {
  set?: Record<string, unknown>;
  unset?: string[];
  /** The whole new body. */
  body?: string;
  terms?: { add?: Record<string, string[]>; remove?: Record<string, string[]> };
};

/** A new draft of a type, checked against it. */
export async function createEntry(draft: Draft, entry: NewEntry): Promise<GraphNode<'entry'>> {
  const type = await draft.contentType(entry.type);
  checkFields(type, entry.fields, 'fields');
  const body = entry.body ?? '';
  checkBody(type, body);
  return draft.create('entry', {
    type: type.name,
    slug: entry.slug === undefined ? slugFrom(String(entry.fields.title)) : checkSlug(entry.slug),
    locale: await siteLocale(draft, entry.locale),
    fields: entry.fields,
    body,
    blocks: body === '' ? [] : parseBlocks(body).map((block) => block.id),
    ...(entry.terms && { terms: mergeTerms({}, { add: entry.terms }) }),
    ...(entry.bylines && { bylines: entry.bylines }),
    ...(entry.untrusted && { untrusted: true }),
  });
}

/** Merges a change into an entry's fields, terms and body; what the change does not name stays as it is. */
export function saveEntry(draft: Draft, ref: string, rev: number, change: EntryChange): Promise<GraphNode<'entry'>> {
  return draft.save('entry', ref, rev, async (entry) => {
    const type = await draft.contentType(entry.type);
    const { untrusted: _, ...kept } = entry;
    const fields = mergeFields(entry.fields, change.set, change.unset);
    checkFields(type, fields, 'set');
    const terms = change.terms ? mergeTerms(entry.terms ?? {}, change.terms) : entry.terms;
    const next: EntryBody = { ...kept, fields, ...(terms && { terms }), ...(entry.untrusted && { untrusted: true }) };
    return change.body === undefined ? next : withBody(type, next, change.body);
  });
}

/** The entry with another body; blocks that are still there keep their ids. */
export function withBody(type: ContentTypeBody, entry: EntryBody, body: string): EntryBody {
  checkBody(type, body);
  return { ...entry, body, blocks: body === '' ? [] : reconcileBlocks(entry.body, entry.blocks, body) };
}

/** A locale of the site; its default when none is asked for. */
export async function siteLocale(draft: Draft, locale: string | undefined): Promise<string> {
  const { locales, defaultLocale } = await draft.head();
  if (locale === undefined) return defaultLocale;
  if (!locales.includes(locale)) {
    throw fail('validation_failed', { path: 'locale', expected: `one of the site's locales: ${locales.join(', ')}` });
  }
  return locale;
}

export function mergeFields(
  fields: Record<string, unknown>,
  set: Record<string, unknown> = {},
  unset: readonly string[] = [],
): Record<string, unknown> {
  for (const name of unset) {
    if (Object.hasOwn(set, name)) {
      throw fail('validation_failed', { path: `unset.${name}`, expected: 'a field that is not also set' });
    }
    if (!Object.hasOwn(fields, name)) {
      throw fail('validation_failed', { path: `unset.${name}`, expected: 'a field that the node has' });
    }
  }
  const kept = Object.entries(fields).filter(([name]) => !unset.includes(name));
  return Object.fromEntries([...kept, ...Object.entries(set)]);
}

const TermSlugs = {
  type: 'object',
  properties: {
    terms: {
      type: 'object',
      propertyNames: { maxLength: 96 },
      additionalProperties: { type: 'array', maxItems: 100, items: { type: 'string', minLength: 1, maxLength: 96 } },
    },
  },
};

/** The slugs of terms by taxonomy, checked: as an argument they are an open object. */
export function termSlugs(terms: Record<string, unknown>): Record<string, string[]> {
  conform(TermSlugs, { terms });
  return terms as Record<string, string[]>;
}

function mergeTerms(
  terms: Record<string, string[]>,
  { add = {}, remove = {} }: NonNullable<EntryChange['terms']>,
): Record<string, string[]> {
  const taxonomies = new Set([...Object.keys(terms), ...Object.keys(add)]);
  const merged = [...taxonomies].map((taxonomy): [string, string[]] => {
    const dropped = new Set(remove[taxonomy] ?? []);
    const all = new Set([...(terms[taxonomy] ?? []), ...(add[taxonomy] ?? [])]);
    return [taxonomy, [...all].filter((term) => !dropped.has(term))];
  });
  return Object.fromEntries(merged.filter(([, slugs]) => slugs.length > 0));
}

function checkFields(type: ContentTypeBody, fields: Record<string, unknown>, path: string): void {
  conform(fieldSchema(type, path), { [path]: fields });
}

function conform(schema: object, value: unknown): void {
  const check: (value: unknown) => void = compile(schema);
  check(value);
}

// One schema object for each type and path, since a schema is compiled once for each object.
const schemas = new Map<string, object>();

function fieldSchema(type: ContentTypeBody, path: string): object {
  const key = `${path}\n${JSON.stringify(type.fields)}`;
  let schema = schemas.get(key);
  if (!schema) {
    if (schemas.size >= 500) schemas.clear();
    schema = { type: 'object', properties: { [path]: structuredClone(type.fields) }, required: [path] };
    schemas.set(key, schema);
  }
  return schema;
}

function checkBody(type: ContentTypeBody, body: string): void {
  if (body !== '' && !type.hasBody) {
    throw fail('validation_failed', { path: 'body', expected: `none: entries of type ${type.name} have no body` });
  }
}
