import type { ApprovalView } from '@cloudhal/shared/contracts';
import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import { read } from './client.ts';

type Approval = Static<typeof ApprovalView>;
type ApprovalPage = { approvals: Approval[]; cursor?: string };

/** What waits, or what was decided; newest first, page by page. */
export const approvalsQuery = (state?: string) =>
  infiniteQueryOptions({
    queryKey: ['approvals', 'list', state ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      read<ApprovalPage>('approvals', { query: { state, cursor: pageParam, limit: 100 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

const pendingQuery = queryOptions({
  queryKey: ['approvals', 'pending'],
  queryFn: ({ signal }) => read<ApprovalPage>('approvals', { query: { state: 'pending', limit: 200 }, signal }),
  // Also where the stream of changes is not there: the title of a tab in the background says it.
  refetchInterval: 60_000,
  refetchIntervalInBackground: true,
});

/** How many approvals wait; more than 200 are 200. */
export function usePendingCount(): number {
  return useQuery(pendingQuery).data?.approvals.length ?? 0;
}
