import { createHash } from 'node:crypto';
import { isId } from '@cloudhal/shared/ids';
import type { ContentTypeBody, EntryBody, PageBody, Section } from '@cloudhal/shared/site/shapes';
import type { Translated } from '@cloudhal/shared/site/translation';
import { parseBlocks } from '../body/parse-blocks.ts';

/**
 * One text that a translation translates. Fields are named as they are set (`title`, `seo.title`); blocks of a body by
 * their id; texts of a page's sections by section and prop (`se_….heading`, `se_….items.0.title`).
 */
export type Text = { name: string; in: 'fields' | 'blocks'; text: string };

/** The texts of an entry, in order. */
export function entryTexts(entry: EntryBody, type: ContentTypeBody): Text[] {
  const fields = Object.entries(entry.fields).flatMap(([name, value]): Text[] =>
    isProse(value, schemaOf(type, name)) ? [{ name, in: 'fields', text: value }] : [],
  );
  const blocks = entry.body === '' ? [] : parseBlocks(entry.body, entry.blocks);
  return [...fields, ...blocks.map(({ id, text }): Text => ({ name: id, in: 'blocks', text }))];
}

/** The texts of a page, in order. */
export function pageTexts(page: PageBody): Text[] {
  const heads = { title: page.title, 'seo.title': page.seo?.title, 'seo.description': page.seo?.description };
  const fields = Object.entries(heads).flatMap(([name, text]): Text[] =>
    text === undefined || text === '' ? [] : [{ name, in: 'fields', text }],
  );
  return [...fields, ...page.sections.flatMap(sectionTexts)];
}

/** Props that are words of the machine, not of the reader. */
const machineProps = new Set(['href', 'type', 'src', 'asset', 'image', 'id']);

function sectionTexts({ id, props }: Section): Text[] {
  const found: Text[] = [];
  const visit = (value: unknown, name: string, prop: string) => {
    if (typeof value === 'string') {
      if (value !== '' && !machineProps.has(prop)) found.push({ name, in: 'blocks', text: value });
    } else if (typeof value === 'object' && value !== null) {
      const own = Array.isArray(value);
      for (const [key, inner] of Object.entries(value)) visit(inner, `${name}.${key}`, own ? prop : key);
    }
  };
  visit(props, id, '');
  return found;
}

type FieldSchema = { pattern?: unknown; format?: unknown; enum?: unknown; const?: unknown };

function schemaOf({ fields }: ContentTypeBody, name: string): FieldSchema {
  const properties = (fields.properties ?? {}) as Record<string, FieldSchema>;
  return Object.hasOwn(properties, name) ? properties[name]! : {};
}

/** Running text: no date, no address, none of a few fixed words. */
function isProse(value: unknown, { pattern, format, enum: words, const: word }: FieldSchema): value is string {
  if (typeof value !== 'string' || value.trim() === '' || isId(value) || /^[a-z]+:\/\/\S+$/i.test(value)) return false;
  return [pattern, format, words, word].every((rule) => rule === undefined);
}

/** What a translated text is known to be made from. */
export function digestOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 10);
}

export type Standing = 'current' | 'changed' | 'untranslated';

/** Where each text of the original stands in a translation, by name. */
export function standings(original: readonly Text[], translated: Translated = {}): Map<string, Standing> {
  return new Map(
    original.map(({ name, text }) => {
      const made = Object.hasOwn(translated, name) ? translated[name] : undefined;
      return [name, made === undefined ? 'untranslated' : made === digestOfText(text) ? 'current' : 'changed'];
    }),
  );
}

export const translationStates = ['missing', 'partial', 'stale', 'current'] as const;
export type TranslationState = (typeof translationStates)[number];

/** A whole translation: stale where a text of the original changed since, partial where one was never translated. */
export function stateOf(all: Iterable<Standing>): Exclude<TranslationState, 'missing'> {
  const found = new Set(all);
  if (found.has('changed')) return 'stale';
  return found.has('untranslated') ? 'partial' : 'current';
}
