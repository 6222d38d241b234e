import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import { countedWith } from '../../changes/title.ts';
import { type Comment, type CommentStatus, commentsById } from '../../comments/comment.ts';
import type { Draft } from '../../graph/draft.ts';
import type { View } from '../../graph/view.ts';

type Item = { comment: string; rev: number };

/** Gives comments another status; a stale rev is refused, and with it all of them. */
export async function decideComments(
  draft: Draft,
  items: readonly Item[],
  statusOf: (index: number) => CommentStatus,
): Promise<{ data: { comments: object[] } }> {
  const comments = await commentsAt(draft, items);
  const decided = comments.map((comment, index) => ({ ...comment, to: statusOf(index) }));
  const changed = decided.filter(({ status, to }) => status !== to);
  for (const { id, rev } of changed) draft.touch({ id, rev: rev + 1 });
  if (changed.length > 0) {
    draft.write(
      `UPDATE tools.comment c SET status = i.status, rev = c.rev + 1, decided_at = clock_timestamp()
       FROM unnest($2::text[], $3::int[], $4::text[]) AS i (id, rev, status)
       WHERE c.site_id = $1 AND c.id = i.id AND c.rev = i.rev RETURNING 1`,
      [changed.map(({ id }) => id), changed.map(({ rev }) => rev), changed.map(({ to }) => to)],
      { rows: changed.length, otherwise: movedOn },
    );
  }
  return {
    data: {
      comments: decided.map(({ id, rev, status, to }) => ({ id, rev: status === to ? rev : rev + 1, status: to })),
    },
  };
}

/** Somebody else decided between the look at the comments and the commit. */
const movedOn = fail('rev_conflict', { node: 'A comment', sent: 'of before', currentRev: 'newer' });

/** The comments at the revs that the caller read; what was erased stays so. */
export async function commentsAt(view: View, items: readonly Item[]): Promise<Comment[]> {
  const comments = await commentsById(
    view,
    items.map(({ comment }) => comment),
  );
  for (const [index, { id, rev, status }] of comments.entries()) {
    const sent = items[index]!.rev;
    if (rev !== sent) throw fail('rev_conflict', { node: `Comment ${id}`, sent, currentRev: rev });
    if (status === 'erased') {
      throw fail('validation_failed', { path: `items[${index}].comment`, expected: 'a comment that was not erased' });
    }
  }
  return comments;
}

const mostLines = 12;

/**
 * What a person decides by. The words of strangers stand in the differences alone, which are shown to people: what the
 * agent is told of a waiting call are title and lines.
 */
export async function commentSummary(view: View, verb: string, ids: readonly string[], more: string[] = []) {
  const comments = await commentsById(view, ids);
  const entries = new Map(
    (await view.nodes([...new Set(comments.map(({ entry }) => entry))], { trash: true })).map((node) => [
      node.id,
      node,
    ]),
  );
  const lines = comments.slice(0, mostLines).map(({ entry, spam, suggestion, status }) => {
    const path = entries.get(entry)?.path;
    const thought = suggestion ? `, suggested: ${suggestion.decision}` : '';
    return `A comment (${status}) under ${path === undefined ? entry : quote(path)}, spam score ${spam}${thought}`;
  });
  if (comments.length > mostLines) lines.push(`… and ${comments.length - mostLines} more.`);
  const { title } = await view.head();
  return {
    title: `${verb} ${countedWith(comments.length, 'comment')} on ${quote(title)}`,
    lines: [...lines, ...more],
    diff: comments.map(({ id, author, text }) => ({
      id,
      kind: 'comment',
      change: 'changed',
      title: `Comment by ${quote(author ?? '')}`,
      values: [{ member: '"text"', after: quote(text ?? '', 2_000) }],
    })),
  };
}
