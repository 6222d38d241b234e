import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import { Type } from 'typebox';
import { commentsById } from '../../comments/comment.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Site } from '../arguments.ts';
import { ChangedComments, CommentRef, CommentRev } from './comment-data.ts';
import { commentSummary } from './decide-comments.ts';

export const deleteComment = writeTool({
  name: 'delete_comment',
  title: 'Erase a comment',
  description:
    'For privacy requests: text and name are gone for good, no rollback brings them back, and an empty place stays. A person always decides.',
  effect: 'person',
  scopes: ['comments:moderate', 'content:delete'],
  toolsets: ['moderation'],
  hints: { destructive: true, idempotent: true },
  input: Input({
    site: Site,
    comment: CommentRef,
    rev: CommentRev,
    reason: Type.String({ minLength: 1, maxLength: 300, description: 'Why; kept, so without personal data.' }),
  }),
  output: ChangedComments,
  async run({ comment: ref, rev: sent }, draft) {
    const [comment] = await commentsById(draft, [ref]);
    const { id, rev, status } = comment!;
    if (rev !== sent) throw fail('rev_conflict', { node: `Comment ${id}`, sent, currentRev: rev });
    if (status === 'erased') return { data: { comments: [{ id, rev, status }] } };
    draft.touch({ id, rev: rev + 1 });
    draft.write(
      `UPDATE tools.comment SET status = 'erased', rev = rev + 1, suggestion = NULL, signs = '{}', decided_at = clock_timestamp()
       WHERE site_id = $1 AND id = $2 AND rev = $3 RETURNING 1`,
      [id, rev],
      { rows: 1, otherwise: fail('rev_conflict', { node: `Comment ${id}`, sent, currentRev: rev + 1 }) },
    );
    draft.write(
      `DELETE FROM tools.comment_words w USING tools.comment c
       WHERE c.id = w.comment_id AND c.site_id = $1 AND c.id = $2`,
      [id],
    );
    return { data: { comments: [{ id, rev: rev + 1, status: 'erased' }] } };
  },
  async assess({ comment, reason }, draft) {
    const { diff: _, ...summary } = await commentSummary(
      draft,
      'Erase for good',
      [comment],
      [`Reason given: ${quote(reason, 300)}`],
    );
    return { summary };
  },
});
