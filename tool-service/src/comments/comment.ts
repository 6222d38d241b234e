import { fail } from '@cloudhal/shared/errors';
import type { View } from '../graph/view.ts';

export const commentStatuses = ['pending', 'approved', 'rejected', 'spam', 'erased'] as const;
export type CommentStatus = (typeof commentStatuses)[number];

/** What an agent thinks should become of a comment. */
export type Suggestion = { decision: string; reason: string; by: string; at: string };

/** A comment as the moderators' tools work on it; author and text are strangers' and absent once it is erased. */
export type Comment = {
  id: string;
  entry: string;
  parent: string | null;
  official: boolean;
  rev: number;
  status: CommentStatus;
  spam: number;
  signs: string[];
  suggestion: Suggestion | null;
  createdAt: Date;
  author: string | null;
  text: string | null;
};

export const commentColumns = `c.id, c.node_id AS entry, c.parent, c.official, c.rev, c.status, c.spam, c.signs, c.suggestion,
  c.created_at AS "createdAt", w.author, w.text`;
export const commentTables = 'tools.comment c LEFT JOIN tools.comment_words w ON w.comment_id = c.id';

/** The comments of the ids, in their order. One that the site does not have is `not_found`. */
export async function commentsById(view: View, ids: readonly string[]): Promise<Comment[]> {
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw fail('validation_failed', { path: 'items', expected: `each comment once, not ${twice}` });
  const rows = await view.rows<Comment>(
    `SELECT ${commentColumns} FROM ${commentTables} WHERE c.site_id = $1 AND c.id = ANY($2)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const comment = byId.get(id);
    if (!comment) throw fail('not_found', { what: 'comment', id });
    return comment;
  });
}
