import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { RecordState as State } from '@cloudhal/shared/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import { gatewayUrl } from './base.ts';
import { change, read } from './client.ts';
import { callTool } from './tools.ts';

export type { AuditEvent };
export type Line = { seq: number; event: AuditEvent };
export type EntryPage = { entries: Line[]; cursor?: string };
export type RecordState = Static<typeof State>;

/** What the record is searched for, as the address of the page has it; `time` is how far back. */
export const filterNames = [
  'kind',
  'time',
  'actor',
  'person',
  'site',
  'decision',
  'outcome',
  'tool',
  'skill',
  'snapshot',
] as const;
export type Filter = Partial<Record<(typeof filterNames)[number], string>>;

const hours: Record<string, number> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

function queryFor({ time, ...filter }: Filter): Record<string, string> {
  const back = time === undefined ? undefined : hours[time];
  // To the minute, so that what is read again is the same question.
  const since = back && new Date(Math.floor(Date.now() / 60_000 - back * 60) * 60_000).toISOString();
  return { ...filter, ...(since && { since }) };
}

const pageSize = 50;

const page = (filter: Filter, cursor: string | undefined, signal: AbortSignal) =>
  read<EntryPage>('activity/entries', { query: { ...queryFor(filter), cursor, limit: pageSize }, signal });

/** The record page by page, as it was when it was first read. */
export const entriesQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: ['record', filter],
    queryFn: ({ pageParam, signal }) => page(filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** The newest page, read again whenever something happens: what comes in does not read all pages again. */
export const newestQuery = (filter: Filter) =>
  queryOptions({
    queryKey: ['activity', 'newest', filter],
    queryFn: ({ signal }) => page(filter, undefined, signal),
    gcTime: 0,
  });

/** All lines of one call, oldest first. */
export const callQuery = (callId: string) =>
  queryOptions({
    queryKey: ['activity', 'call', callId],
    queryFn: async ({ signal }) => {
      const { lines } = await read<{ lines: Line[] }>('activity', { query: { callId, limit: 200 }, signal });
      return lines.map(({ event }) => event).reverse();
    },
  });

export function exportUrl(filter: Filter, format: 'csv' | 'jsonl'): string {
  return `${gatewayUrl('api/activity/export')}?${new URLSearchParams({ ...queryFor(filter), format })}`;
}

export const recordQuery = queryOptions({
  queryKey: ['activity', 'record'],
  queryFn: async ({ signal }) => (await read<{ record: RecordState }>('activity/record', { signal })).record,
});

export const verifyRecord = async () =>
  (await change<{ record: RecordState }>('POST', 'activity/record/verify')).record;

type Difference = {
  id: string;
  kind: string;
  change: 'added' | 'removed' | 'changed';
  path?: string;
  title?: string;
  members?: string[];
  body?: string;
};
export type Changed = Difference & { track: 'draft' | 'live' };

/** What a snapshot changed, on both tracks, with the texts compared. */
export const snapshotChangesQuery = (site: string, snapshot: string) =>
  queryOptions({
    queryKey: ['snapshot-changes', site, snapshot],
    queryFn: async (): Promise<{ changes: Changed[]; isCut: boolean }> => {
      const { data } = await callTool<{ parent?: string; changes: Changed[] }>('get_snapshot', { site, snapshot });
      if (data.parent === undefined) return { changes: [], isCut: false };
      const tracks = [...new Set(data.changes.map(({ track }) => track))];
      const compared = await Promise.all(
        tracks.map(async (track) => {
          const states = { site, a: data.parent, b: snapshot, track };
          const result = await callTool<{ differences: Difference[]; untrusted?: Partial<Difference>[] }>(
            'diff_snapshots',
            { ...states, format: 'body', limit: 25 },
          );
          const { differences, untrusted = [] } = result.data;
          const changes = differences.map((one) => ({
            ...one,
            ...untrusted.find(({ id }) => id === one.id),
            track,
          }));
          return { changes, isCut: result.cursor !== undefined };
        }),
      );
      return {
        changes: compared.flatMap(({ changes }) => changes),
        isCut: compared.some(({ isCut }) => isCut),
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
