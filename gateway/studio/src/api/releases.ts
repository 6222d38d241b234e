import { queryOptions } from '@tanstack/react-query';
import { callTool } from './tools.ts';

export type Release = {
  id: string;
  title: string;
  items: number;
  rev: number;
  state: 'open' | 'scheduled' | 'released' | 'refused';
  schedule?: { at: string; timeZone?: string; by: string };
  outcome?: { at: string; by: string; snapshot?: string; error?: { message: string; next: string } };
  conflicts: number;
};

export const releasesQuery = (site: string) =>
  queryOptions({
    queryKey: ['sites', site, 'releases'],
    queryFn: async () => (await callTool<{ releases: Release[] }>('list_releases', { site, limit: 50 })).data.releases,
  });

/** Takes a schedule back; always the safe direction. */
export const unschedule = (site: string, { id, rev }: Release) =>
  callTool<object>('unschedule_release', { site, release: id, rev });
