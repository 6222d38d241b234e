import { type Args, asset, body, type Dice, type Head, type Move, nobody, rev, slug, word, yes } from './dice.ts';

function pageMove(tool: string, members: string[], more: (dice: Dice, page: Head<'page'>) => Args | undefined): Move {
  return {
    tool,
    args(dice) {
      const page = dice.node('page');
      const rest = page && more(dice, page);
      return rest && { page: page.id, rev: rev(dice, page), ...rest };
    },
    only: ({ page }) => ({ node: page as string, members }),
  };
}

function withoutOnly({ only: _, ...move }: Move): Move {
  return move;
}

function section(dice: Dice, page: Head<'page'>): string | undefined {
  return dice.pick(page.body.sections)?.id;
}

function inSection(args: (section: string) => Args): (dice: Dice, page: Head<'page'>) => Args | undefined {
  return (dice, page) => {
    const id = section(dice, page);
    return id === undefined ? undefined : { section: id, ...args(id) };
  };
}

export const pageMoves: readonly Move[] = [
  {
    tool: 'create_page',
    args: (dice) => ({
      slug: slug(dice),
      title: word(dice),
      ...(yes(dice) && { parent: dice.node('page')?.id ?? '/nowhere' }),
      ...(yes(dice) && { sections: [{ type: 'text', props: { markdown: body(dice) } }] }),
    }),
    only: () => nobody,
  },
  pageMove('update_page', ['title', 'seo'], (dice) =>
    dice.pick<Args>([
      { set: { title: word(dice) } },
      { set: { seo: { description: word(dice) } } },
      { unset: ['seo'] },
    ]),
  ),
  // The pages below it follow.
  withoutOnly(
    pageMove('move_page', [], (dice) =>
      dice.pick<Args>([{ slug: slug(dice) }, { parent: dice.node('page')!.id }, { parent: '/' }]),
    ),
  ),
  { ...pageMove('delete_page', [], (dice) => ({ onInboundLinks: dice.pick(['refuse', 'allow']) })), live: true },
  pageMove('add_section', ['sections'], (dice) =>
    dice.pick<Args>([
      { type: 'text', props: { markdown: body(dice) } },
      { type: 'quote', props: { text: word(dice) }, position: { index: 0 } },
      { type: 'image', props: { asset: asset(dice), alt: word(dice) } },
      { type: 'hero', props: { nothing: 1 } },
    ]),
  ),
  pageMove('update_section', ['sections'], (dice, page) =>
    inSection(() => ({ set: dice.pick([{ markdown: body(dice) }, { text: word(dice) }])! }))(dice, page),
  ),
  pageMove('move_section', ['sections'], (dice, page) =>
    inSection((id) => ({
      position: dice.pick<Args>([{ index: 0 }, { after: section(dice, page) ?? id }, { before: id }])!,
    }))(dice, page),
  ),
  pageMove(
    'remove_section',
    ['sections'],
    inSection(() => ({})),
  ),
];
