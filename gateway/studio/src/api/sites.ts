import type { NewSite, SiteRulesChange, SiteRules as SiteRulesSchema } from '@cloudhal/shared/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import { change, read } from './client.ts';

export type Site = { id: string; slug: string; title: string };
export type SiteRules = Static<typeof SiteRulesSchema>;

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

export const createSite = (site: Static<typeof NewSite>) => change<{ site: Site }>('POST', 'sites', site);

export const siteRulesQuery = (site: string) =>
  queryOptions({
    queryKey: ['site-rules', site],
    queryFn: async ({ signal }) =>
      (await read<{ rules: SiteRules }>(`site-rules/${encodeURIComponent(site)}`, { signal })).rules,
  });

export const changeSiteRules = (site: string, rules: Static<typeof SiteRulesChange>) =>
  change<{ rules: SiteRules }>('PATCH', `site-rules/${encodeURIComponent(site)}`, rules);
