/** The shapes of the site graph's nodes, as tools return them and as bodies are stored. Published under /schemas/v1. */
import { type Static, Type } from 'typebox';
import type { AssetBody } from './asset.ts';
import type { ChromeBody } from './chrome.ts';
import { Correction } from './correction.ts';
import type { DesignBody } from './design.ts';
import type { MenuBody } from './menu.ts';
import type { PersonBody } from './person.ts';
import type { RedirectBody } from './redirect.ts';
import type { ReleaseBody } from './release.ts';
import { Slug } from './slug.ts';
import type { TaxonomyBody, TermBody } from './taxonomy.ts';
import { Translated, Translation } from './translation.ts';

export const nodeKinds = [
  'site',
  'page',
  'entry',
  'content_type',
  'person',
  'taxonomy',
  'term',
  'menu',
  'redirect',
  'release',
  'design',
  'chrome',
  'asset',
] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** `pg_…`, `en_…`, `ty_…`, `st_…`: stable, prefixed, never reused. */
export const idPrefixes = {
  site: 'st',
  page: 'pg',
  entry: 'en',
  content_type: 'ty',
  person: 'pe',
  taxonomy: 'tx',
  term: 'tm',
  menu: 'me',
  redirect: 'rd',
  release: 'rl',
  design: 'ds',
  chrome: 'ch',
  asset: 'as',
} as const satisfies Record<NodeKind, string>;

/** BCP 47, such as `en` or `pt-BR`. */
export const Locale = Type.String({
  pattern: '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  description: 'A locale, such as en or pt-BR.',
});

export const Seo = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: 200 })),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    noindex: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

export const Section = Type.Object({
  /** `se_…`, stable within its page. */
  id: Type.String(),
  /** One of `sectionTypes`. */
  type: Type.String(),
  props: Type.Record(Type.String(), Type.Unknown()),
});
export type Section = Static<typeof Section>;

export const SiteBody = Type.Object({
  title: Type.String(),
  slug: Slug,
  tagline: Type.Optional(Type.String()),
  locales: Type.Array(Locale),
  defaultLocale: Locale,
  seo: Type.Optional(Seo),
  /** The id of the page served at `/`. */
  homePage: Type.Optional(Type.String()),
  social: Type.Optional(Type.Array(Type.Object({ label: Type.String(), url: Type.String() }))),
  /** What readers may say under its entries: nothing when absent; `closed` shows what was said before. */
  comments: Type.Optional(Type.Union([Type.Literal('open'), Type.Literal('closed')])),
});
export type SiteBody = Static<typeof SiteBody>;

export const PageBody = Type.Object({
  title: Type.String(),
  slug: Slug,
  /** The id of the parent page; absent for a top-level page. */
  parent: Type.Optional(Type.String()),
  /** `/about/team`; follows from slug and parents. */
  path: Type.String(),
  locale: Locale,
  sections: Type.Array(Section),
  seo: Type.Optional(Seo),
  translation: Type.Optional(Translation),
  translated: Type.Optional(Translated),
});
export type PageBody = Static<typeof PageBody>;

export const EntryBody = Type.Object({
  /** The content type's name, such as `article`. */
  type: Type.String(),
  slug: Slug,
  locale: Locale,
  /** The type's own fields; `title` is always one of them. */
  fields: Type.Record(Type.String(), Type.Unknown()),
  /** Markdown, byte for byte as it was written. */
  body: Type.String(),
  /** Ids of the body's blocks, in order; kept over edits, see tool-service's body. */
  blocks: Type.Array(Type.String()),
  terms: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  /** Ids of people, in the order in which they are named. */
  bylines: Type.Optional(Type.Array(Type.String())),
  /** In the order in which they were made; nothing is ever taken out. */
  corrections: Type.Optional(Type.Array(Correction)),
  /** Text from outside that no person has edited or published yet. */
  untrusted: Type.Optional(Type.Boolean()),
  translation: Type.Optional(Translation),
  translated: Type.Optional(Translated),
});
export type EntryBody = Static<typeof EntryBody>;

export const ContentTypeBody = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  /** Where its entries live on the published site, such as `/articles`. */
  pathPrefix: Type.String(),
  hasBody: Type.Boolean(),
  /** A JSON Schema of an entry's `fields`. */
  fields: Type.Record(Type.String(), Type.Unknown()),
  /** The names of the fields as pages show them; the store does not keep the order of an object's members. */
  order: Type.Optional(Type.Array(Type.String())),
});
export type ContentTypeBody = Static<typeof ContentTypeBody>;

export type NodeBody = {
  site: SiteBody;
  page: PageBody;
  entry: EntryBody;
  content_type: ContentTypeBody;
  person: PersonBody;
  taxonomy: TaxonomyBody;
  term: TermBody;
  menu: MenuBody;
  redirect: RedirectBody;
  release: ReleaseBody;
  design: DesignBody;
  chrome: ChromeBody;
  asset: AssetBody;
};
