/** Terms of an entry, each as `taxonomy/slug`: they are merged one by one, whatever their taxonomies are called. */
type SlugsByTaxonomy = Record<string, string[]>;

export const taxonomyOf = (term: string): string => term.split('/', 1)[0]!;

export const slugsOf = (terms: readonly string[], taxonomy: string): string[] =>
  terms.filter((term) => taxonomyOf(term) === taxonomy).map((term) => term.slice(taxonomy.length + 1));

/** With these of one taxonomy in place of those that there were. */
export const withSlugs = (terms: readonly string[], taxonomy: string, slugs: readonly string[]): string[] => [
  ...terms.filter((term) => taxonomyOf(term) !== taxonomy),
  ...slugs.map((slug) => `${taxonomy}/${slug}`),
];

export const termsOf = (slugs: SlugsByTaxonomy): string[] =>
  Object.entries(slugs).flatMap(([taxonomy, of]) => withSlugs([], taxonomy, of));

export const byTaxonomy = (terms: readonly string[]): SlugsByTaxonomy =>
  Object.fromEntries(terms.map(taxonomyOf).map((taxonomy) => [taxonomy, slugsOf(terms, taxonomy)]));
