/** What each kind of node is to the graph: its address, its words, its links, and how much it takes to change it. */
import type { Effect } from '@cloudhal/shared/policy';
import { idPrefixes, type NodeBody, type NodeKind } from '@cloudhal/shared/site/shapes';
import type { Translation } from '@cloudhal/shared/site/translation';
import type { Link } from './node.ts';
import { entryWords, fieldReferences, markdownLinks, pageLinks, pageWords } from './words.ts';

/** What lists sort and filter by. */
export type Columns = { type?: string; slug?: string; parent?: string; locale?: string; title: string; date?: string };

export type KindRow<K extends NodeKind> = {
  columns(body: NodeBody[K]): Columns;
  /** Its address on the site; entries live under their type's. */
  path?(body: NodeBody[K], pathPrefix: (type: string) => Promise<string>): string | Promise<string>;
  /** What search finds it by, beside its title; kinds without are not found. */
  words?(body: NodeBody[K]): string;
  links?(body: NodeBody[K]): Link[];
  /** What it takes to change one on the draft, and to change what readers see of it. */
  edit: Effect;
  publish: Effect;
};

export const kinds: { [K in NodeKind]: KindRow<K> } = {
  site: {
    columns: ({ title, slug }) => ({ title, slug }),
    links: ({ homePage }) => (homePage === undefined ? [] : [{ role: 'homePage', target: homePage }]),
    edit: 'edit',
    publish: 'publish',
  },
  page: {
    columns: ({ title, slug, parent, locale }) => ({ title, slug, locale, ...(parent !== undefined && { parent }) }),
    path: ({ path }) => path,
    words: pageWords,
    links: (page) => [...pageLinks(page), ...originalLink(page)],
    edit: 'edit',
    publish: 'publish',
  },
  entry: {
    columns: ({ type, slug, locale, fields }) => ({
      type,
      slug,
      locale,
      title: text(fields.title),
      date: text(fields.publishedOn),
    }),
    path: async ({ type, slug }, pathPrefix) => `${(await pathPrefix(type)).replace(/\/+$/, '')}/${slug}`,
    words: entryWords,
    links: (entry) => [
      ...markdownLinks(entry.body, 'link'),
      ...fieldReferences(entry.fields),
      ...(entry.bylines ?? []).map((target) => ({ role: 'byline', target })),
      ...originalLink(entry),
    ],
    edit: 'edit',
    publish: 'auto-publish',
  },
  content_type: {
    columns: ({ title, name }) => ({ title, slug: name }),
    edit: 'person',
    publish: 'person',
  },
  person: {
    columns: ({ name, slug }) => ({ title: name, slug }),
    edit: 'person',
    publish: 'person',
  },
};

function originalLink({ translation }: { translation?: Translation }): Link[] {
  return translation ? [{ role: 'translation', target: translation.of }] : [];
}

export function kindRow<K extends NodeKind>(kind: K): KindRow<K> {
  return kinds[kind];
}

export function prefixOf(kind: NodeKind): string {
  return idPrefixes[kind];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
