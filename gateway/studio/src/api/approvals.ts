import type { ApprovalView } from '@cloudhal/shared/contracts';
import type { ToolResult } from '@cloudhal/shared/tool';
import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import { change, read } from './client.ts';

export type Approval = Static<typeof ApprovalView>;
type ApprovalPage = { approvals: Approval[]; cursor?: string };
export type Decided = {
  outcome: 'ran' | 'rejected' | 'asked_again';
  approval?: Approval;
  result?: ToolResult;
  /** The approval that took its place, where what was approved had moved. */
  replacedBy?: string;
};

/** What waits, or what was decided: newest first, page by page, without the diffs. */
export const approvalsQuery = (state: string) =>
  infiniteQueryOptions({
    queryKey: ['approvals', 'list', state],
    queryFn: ({ pageParam, signal }) =>
      read<ApprovalPage>('approvals', { query: { state, cursor: pageParam, limit: 100 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'one', id],
    queryFn: async ({ signal }) =>
      (await read<{ approval: Approval }>(`approvals/${encodeURIComponent(id)}`, { signal })).approval,
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

export const approve = (id: string) => change<Decided>('POST', `approvals/${encodeURIComponent(id)}/approve`);
export const reject = (id: string, reason: string) =>
  change<Decided>('POST', `approvals/${encodeURIComponent(id)}/reject`, reason.trim() === '' ? {} : { reason });
