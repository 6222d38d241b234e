import { useQuery, useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { entriesQuery, type Filter, type Line, newestQuery } from '../../api/activity.ts';

export type Entries = {
  entries: Line[];
  hasMore: boolean;
  isReading: boolean;
  readMore: () => void;
  /** More has happened than one page holds: what lies between is not here. */
  isApart: boolean;
  startOver: () => void;
};

/** The record newest first: the pages that were read, and above them what has come in since. */
export function useEntries(filter: Filter): Entries {
  const client = useQueryClient();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useSuspenseInfiniteQuery(entriesQuery(filter));
  const { data: newest } = useQuery(newestQuery(filter));
  const read = useMemo(() => data.pages.flatMap(({ entries }) => entries), [data]);
  const merged = useMemo(() => merge(newest?.entries ?? [], read), [newest, read]);
  const isApart =
    newest?.cursor !== undefined && read.length > 0 && merged.length === newest.entries.length + read.length;
  return {
    entries: isApart ? read : merged,
    hasMore: hasNextPage,
    isReading: isFetchingNextPage,
    readMore: () => void fetchNextPage(),
    isApart,
    startOver: () => void client.resetQueries({ queryKey: ['record', filter] }),
  };
}

/** An entry that was read again says more: what came of it. */
function merge(newest: readonly Line[], read: readonly Line[]): Line[] {
  const again = new Set(newest.map(({ event }) => idOf(event)));
  return [...newest, ...read.filter(({ event }) => !again.has(idOf(event)))];
}

/** An outcome and the attempt before it are one entry. */
export function idOf({ call_id, event_id, type, site }: Line['event']): string {
  const isCall = call_id !== undefined && (type === 'attempted' || type === 'outcome');
  return isCall ? `${site} ${call_id}` : event_id;
}
