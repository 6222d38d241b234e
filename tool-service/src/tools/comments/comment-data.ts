import { Type } from 'typebox';
import type { Comment } from '../../comments/comment.ts';

export const CommentRef = Type.String({ minLength: 1, maxLength: 64, description: "The comment's id." });
export const CommentRev = Type.Integer({ minimum: 1, description: 'The rev that you read with list_comments.' });

/** What a change of comments answers. */
export const ChangedComments = Type.Object({ comments: Type.Array(Type.Unsafe<object>({ type: 'object' })) });

/** A comment without the words of strangers. */
export function commentData({ id, entry, parent, official, rev, status, spam, signs, suggestion, ...rest }: Comment) {
  return {
    id,
    entry,
    rev,
    status,
    createdAt: rest.createdAt.toISOString(),
    ...(parent !== null && { answers: parent }),
    ...(official ? { official, text: rest.text } : { spam, signs }),
    ...(suggestion && { suggestion: { decision: suggestion.decision, by: suggestion.by, at: suggestion.at } }),
  };
}

/** What strangers said, and what an agent that read it said about it, with the place where it comes from. */
export function untrustedWords({ id, official, author, text, suggestion }: Comment): object[] {
  if (official || text === null) return [];
  return [{ source: `comment ${id}`, author, text, ...(suggestion && { suggestedBecause: suggestion.reason }) }];
}
