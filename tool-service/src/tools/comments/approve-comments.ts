import { Type } from 'typebox';
import { Input, writeTool } from '../../define-tool.ts';
import { Note, Site } from '../arguments.ts';
import { ChangedComments, CommentRef, CommentRev } from './comment-data.ts';
import { commentSummary, decideComments } from './decide-comments.ts';

const Item = Type.Object({ comment: CommentRef, rev: CommentRev }, { additionalProperties: false });

export const approveComments = writeTool({
  name: 'approve_comments',
  title: 'Approve comments',
  description: 'Readers then see these comments under their entries. A person always decides.',
  effect: 'person',
  scopes: ['comments:moderate'],
  toolsets: ['moderation'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    items: Type.Array(Item, { minItems: 1, maxItems: 50, description: 'The comments.' }),
    note: Note,
  }),
  output: ChangedComments,
  run: ({ items }, draft) => decideComments(draft, items, () => 'approved'),
  async assess({ items }, draft) {
    const ids = items.map(({ comment }) => comment);
    return { summary: await commentSummary(draft, 'Show readers', ids) };
  },
});
