import { queryOptions, useQuery } from '@tanstack/react-query';
import { callTool } from './tools.ts';

/** What entries are sorted by, and who may be named as their author. */
export type Taxonomy = { name: string; title: string; types?: string[] };
type Term = { slug: string; label: string };
type Person = { id: string; name: string; slug: string; role?: string };

/** The taxonomies that entries of a type have terms of. */
export const taxonomiesQuery = (site: string, type: string) =>
  queryOptions({
    // Like types: a change of content is no reason to read them again.
    queryKey: ['taxonomies', site],
    queryFn: async () => (await callTool<{ taxonomies: Taxonomy[] }>('list_taxonomies', { site })).data.taxonomies,
    select: (all) => all.filter(({ types }) => types === undefined || types.includes(type)),
    staleTime: 60_000,
  });

/** The first terms of a taxonomy that are called so. */
export const foundTermsQuery = (site: string, taxonomy: string, q: string) =>
  queryOptions({
    queryKey: ['sites', site, 'terms', taxonomy, 'found', q],
    queryFn: async () =>
      (await callTool<{ terms: Term[] }>('list_terms', { site, taxonomy, ...(q && { q }), limit: 50 })).data.terms,
  });

/** What terms of a taxonomy are called, by their slugs; of the first fifty. */
export const termLabelsQuery = (site: string, taxonomy: string, slugs: readonly string[]) =>
  queryOptions({
    queryKey: ['sites', site, 'terms', taxonomy, 'labels', slugs],
    queryFn: async () => {
      const where = { kind: 'term', type: taxonomy, slug: { in: slugs.slice(0, 50) } };
      const asked = { site, where, select: ['slug', 'label'], limit: 50 };
      const { nodes } = (await callTool<{ nodes: { select: Term }[] }>('query_nodes', asked)).data;
      return new Map(nodes.map(({ select: { slug, label } }) => [slug, label]));
    },
    enabled: slugs.length > 0,
  });

/** Everybody whom bylines can name. */
const writersQuery = (site: string) =>
  queryOptions({
    queryKey: ['sites', site, 'writers'],
    queryFn: async () => {
      const people: Person[] = [];
      let from: string | undefined;
      do {
        const asked = { site, limit: 100, ...(from !== undefined && { cursor: from }) };
        const { data, cursor } = await callTool<{ people: Person[] }>('list_people', asked);
        people.push(...data.people);
        from = cursor;
      } while (from !== undefined);
      return people;
    },
  });

/** Those whom bylines can name; who is not among them is called by their id. Nobody is read without a site. */
export function useWriters(site: string | undefined) {
  const { data: people } = useQuery({ ...writersQuery(site ?? ''), enabled: site !== undefined });
  return { people, nameOf: (id: string) => people?.find((person) => person.id === id)?.name ?? id };
}
