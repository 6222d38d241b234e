import type { NodeBody } from '@cloudhal/shared/site/shapes';
import { type Args, type Dice, type Head, type Move, nobody, rev, slug, some, terms, word, yes } from './dice.ts';

const termOps: Record<string, (dice: Dice, term: Head<'term'>) => Args> = {
  describe: (dice) => ({ set: { label: word(dice) } }),
  translate: (dice) => ({ set: { locale: dice.pick(['de', 'fr', 'xx'])!, label: word(dice) } }),
  rename: (dice) => ({ set: { slug: slug(dice) } }),
  move: (dice) => ({ set: { parent: dice.pick(['/', ...terms(dice)])! } }),
  merge: (dice) => ({ into: terms(dice)[0]! }),
  delete: () => ({}),
};

export const siteMoves: readonly Move[] = [
  {
    tool: 'update_site',
    args(dice) {
      const site = dice.node('site')!;
      const homePage = dice.node('page')?.id ?? '/nowhere';
      const change = dice.pick<Args>([
        { set: { tagline: word(dice), comments: dice.pick(['open', 'open', 'closed']) } },
        { set: { homePage } },
        { set: { addLocales: [dice.pick(['es', 'pt-BR', 'eel', 'sea'])!] } },
        { unset: ['tagline', 'homePage'] },
      ])!;
      return { rev: rev(dice, site), ...change };
    },
  },
  {
    tool: 'propose_content_type',
    live: true,
    args(dice) {
      const type = dice.pick(dice.heads.filter(({ kind }) => kind === 'content_type') as Head<'content_type'>[])!;
      const field = dice.pick(['place', 'seats', 'summary'])!;
      const schema = dice.pick<Args>([
        { type: 'string' },
        { type: 'integer', default: 1 },
        { type: 'string', maxLength: 2 },
      ])!;
      const op = dice.pick(['add', 'change', 'remove'])!;
      const ops = [{ op, field, ...(op !== 'remove' && { schema, required: yes(dice) }) }];
      const made = dice.heads.some(
        ({ kind, body }) => kind === 'content_type' && (body as NodeBody['content_type']).name === 'event',
      );
      return made
        ? {
            type: type.body.name,
            rev: rev(dice, type),
            ops,
            misfits: dice.pick(['refuse', 'unset']),
            reason: 'A test.',
          }
        : { type: 'event', title: 'Event', pathPrefix: '/events', ops, reason: 'A test.' };
    },
  },
  {
    tool: 'propose_person',
    live: true,
    args(dice) {
      const person = dice.node('person');
      const set = { name: word(dice), ...(yes(dice) && { slug: slug(dice) }) };
      return person && yes(dice)
        ? { person: person.id, rev: rev(dice, person), set, reason: 'A test.' }
        : { set, reason: 'A test.' };
    },
  },
  {
    tool: 'propose_term',
    args: (dice) => ({
      op: 'create',
      taxonomy: 'topics',
      set: { label: word(dice), slug: slug(dice) },
      reason: 'A test.',
    }),
    only: () => nobody,
  },
  {
    tool: 'propose_term',
    args(dice) {
      const term = dice.node('term');
      const op = dice.pick(Object.keys(termOps))!;
      return term && { op, taxonomy: 'topics', term: term.body.slug, reason: 'A test.', ...termOps[op]!(dice, term) };
    },
  },
  {
    tool: 'set_menu',
    args(dice) {
      const menu = dice.node('menu');
      const target = dice.pick<Args>([
        { node: dice.node('page', 'entry')?.id ?? '/nowhere' },
        { url: '/articles' },
        { url: 'javascript:alert(1)' },
      ])!;
      const items = dice.pick<Args[]>([
        [],
        [{ label: word(dice), target }],
        [{ label: 'Up', children: [{ label: word(dice), target }] }],
      ])!;
      return menu
        ? { menu: menu.body.name, locale: menu.body.locale, rev: rev(dice, menu), items }
        : { menu: 'header', rev: 0, items };
    },
  },
  {
    tool: 'add_redirect',
    args: (dice) => ({
      items: [slug(dice), slug(dice)].map((from) => ({
        from: `/${from}`,
        to: `/${slug(dice)}`,
        status: dice.pick([301, 302]),
      })),
      reason: 'A test.',
    }),
    only: () => nobody,
  },
  {
    tool: 'update_redirect',
    args(dice) {
      const redirect = dice.node('redirect');
      return redirect && { redirect: redirect.id, rev: rev(dice, redirect), set: { to: `/${slug(dice)}` } };
    },
    only: ({ redirect }) => ({ node: redirect as string, members: ['to'] }),
  },
  {
    tool: 'delete_redirect',
    args(dice) {
      const items = some(dice, 'redirect').map((redirect) => ({ redirect: redirect.id, rev: rev(dice, redirect) }));
      return items.length === 0 ? undefined : { items };
    },
  },
  {
    tool: 'set_design',
    args(dice) {
      const design = dice.node('design');
      const change = dice.pick<Args>([
        { preset: 'forest' },
        { set: { 'light.accent': '#004488' } },
        { set: { 'light.ink': '#ffffff' } },
        { unset: ['light.accent'] },
      ])!;
      return { rev: design ? rev(dice, design) : 0, ...change };
    },
  },
  {
    tool: 'set_chrome',
    args(dice) {
      const chrome = dice.node('chrome');
      const change = dice.pick<Args>([
        { set: { 'banner.text': word(dice) } },
        { set: { 'banner.href': '/articles' } },
        { unset: ['banner.text'] },
      ])!;
      return { rev: chrome ? rev(dice, chrome) : 0, ...change };
    },
  },
];
