import { infiniteQueryOptions } from '@tanstack/react-query';
import { callTool } from './tools.ts';

export type CommentStatus = 'pending' | 'approved' | 'rejected' | 'spam';
export type RejectReason = 'spam' | 'abuse' | 'off_topic' | 'personal_data' | 'duplicate' | 'other';

export type Comment = {
  id: string;
  entry: string;
  rev: number;
  status: CommentStatus | 'erased';
  createdAt: string;
  spam?: number;
  signs?: string[];
  official?: boolean;
  /** What an agent thinks; its reason is in `suggestedBecause`. */
  suggestion?: { decision: string; by: string };
  author?: string;
  text?: string;
  suggestedBecause?: string;
};
type Words = { source: string; author?: string; text: string; suggestedBecause?: string };

/** Comments of readers in one state, oldest first. */
export const commentsQuery = (site: string, status: CommentStatus) =>
  infiniteQueryOptions({
    queryKey: ['sites', site, 'comments', status],
    queryFn: async ({ pageParam }) => {
      const { data, cursor } = await callTool<{ comments: Comment[]; untrusted: Words[] }>('list_comments', {
        site,
        status,
        ...(pageParam !== undefined && { cursor: pageParam }),
      });
      const words = new Map(data.untrusted.map(({ source, ...rest }) => [source, rest]));
      return { comments: data.comments.map((one) => ({ ...one, ...words.get(`comment ${one.id}`) })), cursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

export const approveComments = (site: string, comments: Comment[]) =>
  callTool<object>('approve_comments', { site, items: comments.map(({ id, rev }) => ({ comment: id, rev })) });

export const rejectComments = (site: string, comments: Comment[], reason: RejectReason) =>
  callTool<object>('reject_comments', { site, items: comments.map(({ id, rev }) => ({ comment: id, rev, reason })) });
