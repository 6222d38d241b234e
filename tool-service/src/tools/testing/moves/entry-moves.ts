import {
  type Args,
  asset,
  blockOf,
  body,
  type Dice,
  type Head,
  type Move,
  nobody,
  rev,
  slug,
  some,
  terms,
  word,
  yes,
} from './dice.ts';

function entryMove(
  tool: string,
  members: string[],
  more: (dice: Dice, entry: Head<'entry'>) => Args | undefined,
): Move {
  return {
    tool,
    args(dice) {
      const entry = dice.node('entry');
      const rest = entry && more(dice, entry);
      return rest && { entry: entry.id, rev: rev(dice, entry), ...rest };
    },
    only: ({ entry }) => ({ node: entry as string, members }),
  };
}

export const entryMoves: readonly Move[] = [
  {
    tool: 'create_entry',
    args: (dice) => ({
      type: dice.pick(['article', 'article', 'event'])!,
      slug: slug(dice),
      fields: { title: word(dice) },
      body: body(dice),
      ...(yes(dice) && { terms: { topics: terms(dice) } }),
    }),
    only: () => nobody,
  },
  entryMove('update_entry', ['fields', 'untrusted'], (dice) =>
    dice.pick<Args>([
      { set: { title: word(dice) } },
      { set: { summary: word(dice) } },
      { set: { leadImage: asset(dice) } },
      { unset: ['summary', 'leadImage'] },
    ]),
  ),
  entryMove('update_entry', ['body', 'blocks', 'untrusted'], (dice) => ({ body: body(dice) })),
  entryMove('update_entry', ['slug', 'untrusted'], (dice) => ({ slug: slug(dice) })),
  entryMove('update_entry', ['terms', 'untrusted'], (dice) => ({
    terms: { [dice.pick(['add', 'remove'])!]: { topics: terms(dice) } },
  })),
  entryMove('edit_body', ['body', 'blocks', 'untrusted'], (dice) => ({
    edits: [{ find: dice.pick(['A block', 'one', dice.text || 'x'])!, replace: word(dice) }],
  })),
  entryMove('patch_draft', ['body', 'blocks', 'untrusted'], (dice, { body: { blocks } }) => {
    const block = dice.pick(blocks);
    const after = dice.pick(['start', ...blocks])!;
    const content = blockOf(word(dice));
    const insert = { op: 'insert', content, ...(after !== 'start' && { after }) };
    if (block === undefined) return { ops: [insert] };
    return {
      ops: [
        dice.pick([insert, { op: 'replace', block, content }, { op: 'move', block, after }, { op: 'remove', block }])!,
      ],
    };
  }),
  entryMove('add_correction', ['corrections', 'untrusted'], (dice) => ({
    kind: dice.pick(['correction', 'clarification', 'update', 'retraction'])!,
    text: word(dice),
  })),
  {
    tool: 'duplicate_entry',
    args(dice) {
      const entry = dice.node('entry');
      return entry && { entry: entry.id, ...(yes(dice) && { slug: slug(dice) }) };
    },
    only: () => nobody,
  },
  {
    ...entryMove('delete_entry', [], (dice) => ({
      unpublish: yes(dice),
      onInboundLinks: dice.pick(['refuse', 'allow']),
    })),
    live: true,
  },
  {
    tool: 'bulk_update_entries',
    args(dice) {
      const items = some(dice, 'entry').map((entry) => ({ entry: entry.id, rev: rev(dice, entry) }));
      if (items.length === 0) return undefined;
      return {
        items,
        dryRun: yes(dice),
        ...(yes(dice) ? { set: { summary: word(dice) } } : { terms: { add: { topics: terms(dice) } } }),
      };
    },
  },
  {
    tool: 'import_entries',
    args: (dice) => ({
      type: 'article',
      onExisting: dice.pick(['skip', 'fail'])!,
      dryRun: dice.pick([false, false, true])!,
      items: [slug(dice), slug(dice)].map((name) => ({
        slug: name,
        frontmatter: { title: word(dice) },
        body: body(dice),
      })),
    }),
    only: () => nobody,
  },
  {
    tool: 'assign_terms',
    args(dice) {
      const items = some(dice, 'entry').map((entry) => ({ entry: entry.id, rev: rev(dice, entry) }));
      return items.length === 0
        ? undefined
        : { items, taxonomy: 'topics', [dice.pick(['add', 'remove'])!]: terms(dice) };
    },
  },
  {
    tool: 'save_translation',
    args(dice) {
      const node = dice.node('page', 'entry');
      if (!node) return undefined;
      const of = node.body.translation?.of ?? node.id;
      const locale = dice.pick(['de', 'fr', 'xx'])!;
      const there = dice.heads.find(
        ({ body }) =>
          'translation' in body && body.translation?.of === of && 'locale' in body && body.locale === locale,
      );
      const source = dice.heads.find(({ id }) => id === of)!;
      const whole = node.kind === 'entry' && yes(dice) && { body: body(dice) };
      return {
        node: of,
        locale,
        rev: there ? rev(dice, there) : 0,
        sourceRev: source.rev,
        fields: { title: word(dice) },
        ...whole,
      };
    },
  },
  {
    tool: 'delete_translation',
    args(dice) {
      const variants = dice.heads.filter(({ deleted, body }) => !deleted && 'translation' in body && body.translation);
      const variant = dice.pick(variants) as Head<'entry'> | undefined;
      return variant && { node: variant.body.translation!.of, locale: variant.body.locale, rev: rev(dice, variant) };
    },
  },
];
