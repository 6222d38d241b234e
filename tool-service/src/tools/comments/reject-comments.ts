import { Type } from 'typebox';
import { Input, writeTool } from '../../define-tool.ts';
import { Choice, Note, Site } from '../arguments.ts';
import { ChangedComments, CommentRef, CommentRev } from './comment-data.ts';
import { commentSummary, decideComments } from './decide-comments.ts';

const reasons = ['spam', 'abuse', 'off_topic', 'personal_data', 'duplicate', 'other'] as const;

const Item = Type.Object(
  { comment: CommentRef, rev: CommentRev, reason: Choice(reasons, 'Why.') },
  { additionalProperties: false },
);

export const rejectComments = writeTool({
  name: 'reject_comments',
  title: 'Reject comments',
  description:
    'Hides comments, or files them as spam. approve_comments takes it back within 30 days; then they are gone.',
  effect: 'publish',
  scopes: ['comments:moderate'],
  toolsets: ['moderation'],
  hints: { destructive: true, idempotent: true },
  input: Input({
    site: Site,
    items: Type.Array(Item, { minItems: 1, maxItems: 50, description: 'The comments.' }),
    note: Note,
  }),
  output: ChangedComments,
  run: ({ items }, draft) =>
    decideComments(draft, items, (index) => (items[index]!.reason === 'spam' ? 'spam' : 'rejected')),
  async assess({ items }, draft) {
    const ids = items.map(({ comment }) => comment);
    const why = reasons.flatMap((reason) => {
      const count = items.filter((item) => item.reason === reason).length;
      return count === 0 ? [] : [`${reason.replace('_', ' ')}: ${count}`];
    });
    return { summary: await commentSummary(draft, 'Hide from readers', ids, [`Reasons given: ${why.join(', ')}.`]) };
  },
});
