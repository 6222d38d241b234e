import { builtInContentTypes } from '@cloudhal/shared/site/content-types';
import type { EntryBody, PageBody, SiteBody } from '@cloudhal/shared/site/shapes';
import { expect } from 'vitest';
import { styleSheet } from '../theme-css.ts';
import { type Element, readHtml } from './read-html.ts';

export const article = builtInContentTypes[0]!;
export const basePath = '/sites/gazette';
export const nav = [
  { label: 'Home', path: '/' },
  { label: 'Articles', path: '/articles' },
];
export const site: SiteBody = {
  title: 'Gazette',
  slug: 'gazette',
  tagline: 'News from the valley',
  locales: ['en'],
  defaultLocale: 'en',
};
/** A person whom readers know. */
export const mira = 'pe_00000000000000000000000001';
export const references = new Map([[mira, { title: 'Mira Holm' }]]);
export const entry: EntryBody = {
  type: 'article',
  slug: 'salmon',
  locale: 'en',
  fields: { title: 'The salmon are back', summary: 'After sixty years.', publishedOn: '2026-03-04' },
  body: '# First\n\nText with [a link](/about).\n\n### Second\n',
  blocks: [],
  bylines: [mira],
  terms: { topics: ['river'] },
};
export const cards = [{ title: 'One', path: '/articles/one', summary: 'About one.', date: '2026-03-01' }];
export const terms = [{ label: 'river', path: '/topics/river' }];
export const view = { state: 'draft', snapshot: 'sn_1', expiresAt: '2026-03-05T10:00:00Z' } as const;

export function page(
  sections: { type: string; props: Record<string, unknown> }[],
  more: Partial<PageBody> = {},
): PageBody {
  const withIds = sections.map((section, index) => ({ id: `se_${index}`, ...section }));
  return { title: 'About us', slug: 'about', path: '/about', locale: 'en', sections: withIds, ...more };
}

/** The elements of a page, without the style sheet. */
export function read(html: string): Element[] {
  return readHtml(html.replace(styleSheet(), ''));
}

export function all(html: string, tag: string): Element[] {
  return read(html).filter((element) => element.tag === tag);
}

export function one(html: string, tag: string): Element {
  const found = all(html, tag);
  expect(found, `<${tag}>`).toHaveLength(1);
  return found[0]!;
}
