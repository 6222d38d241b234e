import { createHash } from 'node:crypto';
import { fail } from '@cloudhal/shared/errors';
import { newId } from '@cloudhal/shared/ids';
import { quote } from '@cloudhal/shared/quote';
import { Type } from 'typebox';
import { cleanWords, commentLimits, faultOf } from '../../comments/clean-text.ts';
import { commentsById } from '../../comments/comment.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Note, Site } from '../arguments.ts';
import { CommentRef } from './comment-data.ts';
import { commentSummary } from './decide-comments.ts';

export const replyToComment = writeTool({
  name: 'reply_to_comment',
  title: 'Reply to a comment',
  description:
    "A public answer in the site's name, as plain text, under a comment that readers see. A person always decides.",
  effect: 'person',
  scopes: ['comments:moderate'],
  toolsets: ['moderation'],
  hints: { destructive: false, idempotent: false },
  input: Input({
    site: Site,
    comment: CommentRef,
    text: Type.String({ minLength: 1, maxLength: commentLimits.text, description: 'Plain text.' }),
    note: Note,
  }),
  output: Type.Object({ id: Type.String(), comment: Type.String() }),
  async run({ comment: ref, text: said }, draft) {
    const [comment] = await commentsById(draft, [ref]);
    if (comment!.status !== 'approved' || comment!.official) throw notShown;
    const { author, text } = cleanWords({ author: (await draft.head()).title, text: said });
    if (faultOf({ author: 'x', text }))
      throw fail('validation_failed', { path: 'text', expected: 'a text with words' });
    const id = newId('cm');
    draft.touch({ id, rev: 1 });
    draft.write(
      `INSERT INTO tools.comment (id, site_id, node_id, parent, official, status, decided_at)
       SELECT $2, c.site_id, c.node_id, c.id, true, 'approved', clock_timestamp() FROM tools.comment c
       WHERE c.site_id = $1 AND c.id = $3 AND c.status = 'approved' RETURNING 1`,
      [id, ref],
      { rows: 1, otherwise: notShown },
    );
    draft.write(
      `INSERT INTO tools.comment_words (comment_id, author, text, text_hash)
       SELECT c.id, $3, $4, $5 FROM tools.comment c WHERE c.site_id = $1 AND c.id = $2`,
      [id, author, text, createHash('sha256').update(text).digest()],
    );
    return { data: { id, comment: ref } };
  },
  async assess({ comment, text }, draft) {
    const summary = await commentSummary(draft, 'Answer in public', [comment], [`The answer: ${quote(text, 2_000)}`]);
    return { summary };
  },
});

const notShown = fail('validation_failed', { path: 'comment', expected: "a reader's comment that readers see" });
