import { conform } from './conform.ts';

const slug = { type: 'string', minLength: 1, maxLength: 96, pattern: '^[a-z0-9][a-z0-9-]*$' };
const TermSlugs = {
  type: 'object',
  propertyNames: slug,
  additionalProperties: { type: 'array', maxItems: 100, items: slug },
};

/** Slugs of terms by taxonomy. */
export type TermChange = { add?: Record<string, string[]>; remove?: Record<string, string[]> };

/** The slugs of terms by taxonomy, checked: as an argument they are an open object. */
export function termSlugs(terms: Record<string, unknown>): Record<string, string[]> {
  conform(TermSlugs, terms, 'terms');
  return terms as Record<string, string[]>;
}

/** Terms to add and remove, checked. */
export function termChange(change: { add?: Record<string, unknown>; remove?: Record<string, unknown> }): TermChange {
  return {
    ...(change.add && { add: termSlugs(change.add) }),
    ...(change.remove && { remove: termSlugs(change.remove) }),
  };
}

/** Terms with some added and some removed; taxonomies without any are left out. */
export function mergeTerms(
  terms: Record<string, string[]>,
  { add = {}, remove = {} }: TermChange,
): Record<string, string[]> {
  // A taxonomy may have a name that every object has a member of.
  const slugsIn = (of: Record<string, string[]>, taxonomy: string) =>
    Object.hasOwn(of, taxonomy) ? (of[taxonomy] ?? []) : [];
  const taxonomies = new Set([...Object.keys(terms), ...Object.keys(add)]);
  const merged = [...taxonomies].map((taxonomy): [string, string[]] => {
    const dropped = new Set(slugsIn(remove, taxonomy));
    const all = new Set([...slugsIn(terms, taxonomy), ...slugsIn(add, taxonomy)]);
    return [taxonomy, [...all].filter((term) => !dropped.has(term))];
  });
  return Object.fromEntries(merged.filter(([, slugs]) => slugs.length > 0));
}
