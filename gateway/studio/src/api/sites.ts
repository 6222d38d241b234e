import { queryOptions, useQuery } from '@tanstack/react-query';
import { read } from './client.ts';

export type Site = { id: string; slug: string; title: string };

export const sitesQuery = queryOptions({
  queryKey: ['sites', 'list'],
  queryFn: async ({ signal }) => (await read<{ sites: Site[] }>('sites', { signal })).sites,
  staleTime: 60_000,
});

/** Gives the title of a site by its id; the id itself where it is not known. */
export function useSiteTitles(): (id: string) => string {
  const { data = [] } = useQuery(sitesQuery);
  return (id) => data.find((site) => site.id === id)?.title ?? id;
}
