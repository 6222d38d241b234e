import { type Args, type Dice, type Move, nobody, rev, word } from './dice.ts';

type Comment = Dice['comments'][number];
/** Mostly one that was not erased. */
const oneOf = (dice: Dice) => {
  const kept = dice.comments.filter(({ status }) => status !== 'erased');
  return dice.pick(dice.pick([kept, kept, kept, dice.comments])!);
};

function commentsMove(tool: string, more: (dice: Dice, comment: Comment) => Args): Move {
  return {
    tool,
    args(dice) {
      const chosen = new Set([oneOf(dice), oneOf(dice)]);
      const items = [...chosen].flatMap((one) => (one ? [{ comment: one.id, ...more(dice, one) }] : []));
      return items.length === 0 ? undefined : { items };
    },
    only: () => nobody,
  };
}

function commentMove(tool: string, more: (dice: Dice, comment: Comment) => Args): Move {
  return {
    tool,
    args(dice) {
      const comment = oneOf(dice);
      return comment && { comment: comment.id, ...more(dice, comment) };
    },
    only: () => nobody,
  };
}

export const commentMoves: readonly Move[] = [
  commentsMove('suggest_comment_decisions', (dice) => ({
    decision: dice.pick(['approve', 'reject', 'hold']),
    reason: word(dice),
  })),
  commentsMove('approve_comments', (dice, comment) => ({ rev: rev(dice, comment) })),
  commentsMove('reject_comments', (dice, comment) => ({
    rev: rev(dice, comment),
    reason: dice.pick(['spam', 'abuse', 'other']),
  })),
  commentMove('reply_to_comment', (dice) => ({ text: word(dice) })),
  commentMove('delete_comment', (dice, comment) => ({ rev: rev(dice, comment), reason: 'A test.' })),
];
