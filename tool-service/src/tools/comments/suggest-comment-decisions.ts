import { Type } from 'typebox';
import { commentsById, type Suggestion } from '../../comments/comment.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Choice, Site } from '../arguments.ts';
import { ChangedComments, CommentRef } from './comment-data.ts';

const Item = Type.Object(
  {
    comment: CommentRef,
    decision: Choice(['approve', 'reject', 'hold'], 'hold: a person has to read it.'),
    reason: Type.String({ minLength: 1, maxLength: 300, description: 'One sentence for a busy person.' }),
  },
  { additionalProperties: false },
);

export const suggestCommentDecisions = writeTool({
  name: 'suggest_comment_decisions',
  title: 'Suggest what becomes of comments',
  description: 'Leaves a suggestion with each comment for the person who decides; readers see no change.',
  effect: 'edit',
  scopes: ['comments:triage'],
  toolsets: ['moderation'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    items: Type.Array(Item, { minItems: 1, maxItems: 50, description: 'One for each comment.' }),
  }),
  output: ChangedComments,
  async run({ items }, draft, call) {
    const comments = await commentsById(
      draft,
      items.map(({ comment }) => comment),
    );
    const at = call.now().toISOString();
    for (const [index, { decision, reason }] of items.entries()) {
      const { id, rev, suggestion, status } = comments[index]!;
      if (status === 'erased' || (suggestion?.decision === decision && suggestion.reason === reason)) continue;
      const suggested: Suggestion = { decision, reason, by: call.principal.name, at };
      draft.touch({ id, rev });
      draft.write(`UPDATE tools.comment SET suggestion = $3 WHERE site_id = $1 AND id = $2 AND status <> 'erased'`, [
        id,
        JSON.stringify(suggested),
      ]);
    }
    return { data: { comments: items.map(({ comment, decision }) => ({ id: comment, suggested: decision })) } };
  },
});
