/** Taxonomies and their terms. */
import { type Static, Type } from 'typebox';
import { Locale } from './shapes.ts';
import { Slug } from './slug.ts';

export const TaxonomyBody = Type.Object({
  /** `topics`: entries name it so, and its terms live under `/topics`. */
  name: Slug,
  title: Type.String(),
  description: Type.Optional(Type.String()),
  /** Whether terms may stand under others. */
  hierarchical: Type.Boolean(),
  /** Names of the content types whose entries may carry its terms; all when absent. */
  types: Type.Optional(Type.Array(Type.String())),
  /** The locale of its own words. */
  locale: Locale,
});
export type TaxonomyBody = Static<typeof TaxonomyBody>;

export const TermBody = Type.Object({
  /** The name of its taxonomy. */
  taxonomy: Slug,
  slug: Slug,
  label: Type.String(),
  description: Type.Optional(Type.String()),
  /** The id of the term above it. */
  parent: Type.Optional(Type.String()),
  /** Other words by which it is found. */
  synonyms: Type.Optional(Type.Array(Type.String())),
  /** The locale of label and description. */
  locale: Locale,
  /** Label and description in other locales. */
  translations: Type.Optional(
    Type.Record(Type.String(), Type.Object({ label: Type.String(), description: Type.Optional(Type.String()) })),
  ),
});
export type TermBody = Static<typeof TermBody>;

/** What every site has from the start. */
export const builtInTaxonomies: Omit<TaxonomyBody, 'locale'>[] = [
  { name: 'topics', title: 'Topics', description: 'What entries are about.', hierarchical: true },
];
