import { type Move, slug, word } from './dice.ts';

/** A reader's comment, as the form of an entry sends it: no tool, and no change of the site. */
export const readersComment: Move = {
  tool: 'a comment',
  args: (dice) => ({
    path: dice.node('entry')?.path ?? '/nowhere',
    author: dice.pick(['Mo', 'Jo', '<b>Bo</b>', ''])!,
    text: `${word(dice)} ${dice.pick(['again', 'https://spam.example', dice.text])}`,
  }),
};

/** A page that a reader asks for: one that is there, or was, or never was. */
export const readersVisit: Move = {
  tool: 'a visit',
  args: (dice) => ({
    path: dice.pick([dice.pick(dice.live)?.path, dice.pick(dice.heads)!.path, `/${slug(dice)}`]) ?? '/',
  }),
};
