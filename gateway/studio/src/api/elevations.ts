import type { ElevationView } from '@cloudhal/shared/contracts';
import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import { change, read } from './client.ts';

export type Elevation = Static<typeof ElevationView>;

/** Requests that wait, and elevations that hold now. */
export const elevationsQuery = queryOptions({
  queryKey: ['elevations', 'open'],
  queryFn: async ({ signal }) =>
    (await read<{ elevations: Elevation[] }>('elevations', { query: { state: 'pending,granted' }, signal })).elevations,
});

const decide = (id: string, decision: string, body?: object) =>
  change<{ elevation: Elevation }>('POST', `elevations/${encodeURIComponent(id)}/${decision}`, body);

export const grant = (id: string, granted: { mode: string; minutes: number }) => decide(id, 'grant', granted);
export const refuse = (id: string) => decide(id, 'refuse');
export const end = (id: string) => decide(id, 'end');
