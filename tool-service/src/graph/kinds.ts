/** What each kind of node is to the graph: its address, its words, its links, and how much it takes to change it. */
import type { Effect, Scope } from '@cloudhal/shared/policy';
import { idPrefixes, type NodeBody, type NodeKind } from '@cloudhal/shared/site/shapes';
import type { Translation } from '@cloudhal/shared/site/translation';
import { menuLinks } from './menu-links.ts';
import type { GraphNode, Link } from './node.ts';
import {
  assetWords,
  entryWords,
  fieldReferences,
  hrefLink,
  markdownLinks,
  pageLinks,
  pageWords,
  pathOnly,
} from './words.ts';

/** What lists sort and filter by. */
export type Columns = { type?: string; slug?: string; parent?: string; locale?: string; title: string; date?: string };

export type KindRow<K extends NodeKind> = {
  columns(body: NodeBody[K]): Columns;
  /** Its address on the site; entries live under their type's. */
  path?(body: NodeBody[K], pathPrefix: (type: string) => Promise<string>): string | Promise<string>;
  /** It has no address, and its slug names one node of a track in each locale. */
  named?: true;
  /** What search finds it by, beside its title; kinds without are not found. */
  words?(body: NodeBody[K]): string;
  links?(body: NodeBody[K]): Link[];
  /** What its own tools ask of whoever changes one. */
  scope: Scope;
  /** What it takes to change one on the draft, and to change what readers see of it. */
  edit: Effect | ((before: NodeBody[K] | undefined, after: NodeBody[K] | undefined) => Effect);
  publish: Effect;
  /** About the site, and never part of what readers see. */
  draftOnly?: true;
};

export const kinds: { [K in NodeKind]: KindRow<K> } = {
  site: {
    scope: 'site:write',
    columns: ({ title, slug }) => ({ title, slug }),
    links: ({ homePage }) => (homePage === undefined ? [] : [{ role: 'homePage', target: homePage }]),
    edit: 'edit',
    publish: 'publish',
  },
  page: {
    scope: 'content:write',
    columns: ({ title, slug, parent, locale }) => ({ title, slug, locale, ...(parent !== undefined && { parent }) }),
    path: ({ path }) => path,
    words: pageWords,
    links: (page) => [...pageLinks(page), ...originalLink(page)],
    edit: 'edit',
    publish: 'publish',
  },
  entry: {
    scope: 'content:write',
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
      ...termLinks(entry.terms ?? {}),
      ...originalLink(entry),
    ],
    edit: 'edit',
    publish: 'auto-publish',
  },
  content_type: {
    scope: 'schema:write',
    columns: ({ title, name }) => ({ title, slug: name }),
    named: true,
    edit: 'person',
    publish: 'person',
  },
  person: {
    scope: 'people:write',
    columns: ({ name, slug }) => ({ title: name, slug }),
    named: true,
    edit: 'person',
    publish: 'person',
  },
  taxonomy: {
    scope: 'taxonomy:write',
    columns: ({ title, name, locale }) => ({ title, slug: name, locale }),
    path: ({ name }) => `/${name}`,
    edit: 'person',
    publish: 'person',
  },
  term: {
    scope: 'taxonomy:write',
    columns: ({ taxonomy, slug, label, parent, locale }) => ({
      type: taxonomy,
      slug,
      title: label,
      locale,
      ...(parent !== undefined && { parent }),
    }),
    path: ({ taxonomy, slug }) => termPath(taxonomy, slug),
    links: ({ parent }) => (parent === undefined ? [] : [{ role: 'parent', target: parent }]),
    // New words are an edit; what moves addresses or usages is structure.
    edit: (before, after) =>
      before && (!after || before.slug !== after.slug || before.parent !== after.parent) ? 'person' : 'edit',
    publish: 'person',
  },
  menu: {
    scope: 'menus:write',
    columns: ({ name, locale }) => ({ title: name, slug: name, locale }),
    named: true,
    links: ({ items }) => menuLinks(items),
    edit: 'edit',
    publish: 'publish',
  },
  redirect: {
    scope: 'redirects:write',
    // Where it leads is what somebody has to know who lets it go live.
    columns: ({ from, to = 'gone', locale }) => ({ title: `${from} → ${to}`, locale }),
    path: ({ from }) => from,
    links: ({ to }) => (to?.startsWith('/') ? [{ role: 'redirect', target: pathOnly(to) }] : []),
    edit: 'person',
    publish: 'person',
  },
  release: {
    scope: 'releases:write',
    columns: ({ title }) => ({ title }),
    edit: 'edit',
    publish: 'person',
    draftOnly: true,
  },
  design: {
    scope: 'design:write',
    columns: () => ({ title: 'Design' }),
    edit: 'edit',
    publish: 'publish',
  },
  chrome: {
    scope: 'design:write',
    columns: () => ({ title: 'Header and footer' }),
    links: ({ slots }) =>
      Object.entries(slots).flatMap(([name, value]) =>
        name.startsWith('banner.href') && typeof value === 'string' ? hrefLink(value, name) : [],
      ),
    edit: 'edit',
    publish: 'publish',
  },
  asset: {
    scope: 'media:write',
    // Found by the hash of what was sent: the same bytes are not stored twice.
    columns: ({ filename, type, source }) => ({ title: filename, type, slug: source.sha256 }),
    words: assetWords,
    edit: 'edit',
    publish: 'auto-publish',
  },
};

function originalLink({ translation }: { translation?: Translation }): Link[] {
  return translation ? [{ role: 'translation', target: translation.of }] : [];
}

export function kindRow<K extends NodeKind>(kind: K): KindRow<K> {
  return kinds[kind];
}

/** Kinds that no publish has to do with. */
export function draftOnlyKinds(): NodeKind[] {
  return (Object.keys(kinds) as NodeKind[]).filter((kind) => kinds[kind].draftOnly);
}

export function prefixOf(kind: NodeKind): string {
  return idPrefixes[kind];
}

/** Where a term's page stands on the site; entries refer to a term by it. */
export function termPath(taxonomy: string, slug: string): string {
  return `/${taxonomy}/${slug}`;
}

/** An entry's terms, as links to their pages. */
function termLinks(terms: Record<string, string[]>): Link[] {
  return Object.entries(terms).flatMap(([taxonomy, slugs]) =>
    slugs.map((slug) => ({ role: 'term', target: termPath(taxonomy, slug) })),
  );
}

/** The draft's effect of a change from one body to another; an absent side is not there. */
export function editEffect<K extends NodeKind>(
  kind: K,
  before: GraphNode<K> | undefined,
  after: GraphNode<K> | undefined,
): Effect {
  const { edit } = kindRow(kind);
  return typeof edit === 'function' ? edit(before?.body, after?.body) : edit;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
