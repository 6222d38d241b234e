import type { NodeBody, NodeKind } from '@cloudhal/shared/site/shapes';

type Args = Record<string, unknown>;

/** The head of a node's draft, in the trash as well. */
export type Head<K extends NodeKind = NodeKind> = {
  [P in K]: {
    id: string;
    kind: P;
    rev: number;
    deleted: boolean;
    path: string | null;
    hash: string;
    body: NodeBody[P];
  };
}[K];

/** What a call is made up from: the site as it stands, and choices that a generator took. */
export type Dice = {
  heads: readonly Head[];
  snapshots: readonly { id: string }[];
  liveSnapshot: string;
  headSnapshot: string;
  embargoed: readonly string[];
  /** One of these by the next choice; `undefined` where there is none. */
  pick<T>(from: readonly T[]): T | undefined;
  /** A node of the draft, outside the trash unless said. */
  node<K extends NodeKind>(...kinds: K[]): Head<K> | undefined;
  trashed(): Head | undefined;
  text: string;
};

export type Move = {
  tool: string;
  /** `undefined` where there is nothing to do it to. */
  args(dice: Dice): Args | undefined;
  /**
   * The id of the only node that it may change, and the members of its body that may be others afterwards. Absent where
   * other nodes follow by what the tool is for: a term that is merged, a page whose parent moved.
   */
  only?(args: Args): { node?: string | undefined; members: readonly string[] };
  /** May change what is live. */
  live?: true;
};

const slugs = [
  'ada',
  'boat',
  'crew',
  'dock',
  'eel',
  'ferry',
  'gull',
  'hull',
  'admin',
  'Über',
  '../up',
  'ſlip',
] as const;
const words = ['tides', 'Nets & knots', '<b>bold</b>', '`code`', 'naïve café', '日本語', '👩‍🚒', ''] as const;
const blockOf = (text: string) => `A block about ${text || 'nothing'}.`;
const yes = (dice: Dice) => dice.pick([true, false])!;
const slug = (dice: Dice) => dice.pick(slugs)!;
const word = (dice: Dice) => dice.pick(words) || dice.text || 'word';
const body = (dice: Dice) => dice.pick(['', `# ${word(dice)}\n\n${blockOf(dice.text)}\n\n- one\n- two\n`, dice.text])!;
const terms = (dice: Dice): string[] => {
  const term = dice.node('term');
  return [term ? term.body.slug : 'nothing'];
};
/** The rev of a node, now and then an old one. */
const rev = (dice: Dice, node: { rev: number }) => (dice.pick([0, 0, 0, 0, 0, 1]) ? node.rev + 1 : node.rev);
const some = (dice: Dice, ...kinds: NodeKind[]): Head[] => {
  const first = dice.node(...kinds);
  const second = dice.node(...kinds);
  return [first, second].filter((node, at, all): node is Head => node !== undefined && all.indexOf(node) === at);
};
const nobody = { members: [] };

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

const termOps: Record<string, (dice: Dice, term: Head<'term'>) => Args> = {
  describe: (dice) => ({ set: { label: word(dice) } }),
  translate: (dice) => ({ set: { locale: dice.pick(['de', 'fr', 'xx'])!, label: word(dice) } }),
  rename: (dice) => ({ set: { slug: slug(dice) } }),
  move: (dice) => ({ set: { parent: dice.pick(['/', ...terms(dice)])! } }),
  merge: (dice) => ({ into: terms(dice)[0]! }),
  delete: () => ({}),
};

/** Every sort of change, each as calls that mostly make sense and sometimes do not. */
export const moves: readonly Move[] = [
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
    dice.pick([{ set: { title: word(dice) } }, { set: { summary: word(dice) } }, { unset: ['summary'] }]),
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
    tool: 'restore_node',
    args(dice) {
      const node = dice.trashed();
      return node && { node: node.id, from: 'trash' };
    },
  },
  {
    tool: 'restore_node',
    args(dice) {
      const node = dice.pick(dice.heads);
      const snapshot = dice.pick(dice.snapshots);
      return node && snapshot && { node: node.id, from: 'snapshot', snapshot: snapshot.id, rev: rev(dice, node) };
    },
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
  {
    tool: 'update_site',
    args(dice) {
      const site = dice.node('site')!;
      const homePage = dice.node('page')?.id ?? '/nowhere';
      const change = dice.pick<Args>([
        { set: { tagline: word(dice) } },
        { set: { homePage } },
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
    tool: 'assign_terms',
    args(dice) {
      const items = some(dice, 'entry').map((entry) => ({ entry: entry.id, rev: rev(dice, entry) }));
      return items.length === 0
        ? undefined
        : { items, taxonomy: 'topics', [dice.pick(['add', 'remove'])!]: terms(dice) };
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
  { tool: 'create_snapshot', args: (dice) => ({ label: word(dice) }), only: () => nobody },
  {
    tool: 'undo_change',
    args: (dice) => ({ snapshot: dice.pick(dice.snapshots)!.id, dryRun: dice.pick([false, false, true])! }),
  },
  {
    tool: 'publish',
    args: (dice) => ({ what: { all: true }, expectDraft: dice.headSnapshot }),
    only: () => nobody,
    live: true,
  },
  {
    tool: 'publish',
    args(dice) {
      const nodes = some(dice, 'page', 'entry', 'person', 'term', 'menu', 'redirect', 'design', 'chrome', 'site').map(
        ({ id }) => id,
      );
      return { what: { nodes }, expectDraft: dice.headSnapshot };
    },
    live: true,
  },
  {
    tool: 'unpublish',
    args(dice) {
      const items = some(dice, 'page', 'entry').map((node) => ({ node: node.id, rev: rev(dice, node) }));
      return items.length === 0 ? undefined : { items, ...(dice.pick([0, 0, 1]) && { redirect: `/${slug(dice)}` }) };
    },
    live: true,
  },
  {
    tool: 'create_release',
    args: (dice) => ({ title: word(dice), items: some(dice, 'page', 'entry').map(({ id }) => ({ node: id })) }),
    only: () => nobody,
  },
  {
    tool: 'set_release_items',
    args(dice) {
      const release = dice.node('release');
      const [node] = some(dice, 'page', 'entry');
      if (!release || !node) return undefined;
      return {
        release: release.id,
        rev: rev(dice, release),
        ...(yes(dice) ? { add: [{ node: node.id }] } : { remove: [node.id] }),
      };
    },
    only: ({ release }) => ({ node: release as string, members: ['items'] }),
  },
  {
    tool: 'publish',
    args(dice) {
      const release = dice.node('release');
      return release && { what: { release: release.id }, expectDraft: dice.headSnapshot };
    },
    live: true,
  },
  {
    tool: 'delete_release',
    args(dice) {
      const release = dice.node('release');
      return release && { release: release.id, rev: rev(dice, release) };
    },
    only: ({ release }) => ({ node: release as string, members: [] }),
  },
  {
    tool: 'set_embargo',
    args(dice) {
      const node = dice.node('page', 'entry');
      return node && { node: node.id, rev: rev(dice, node), until: '2099-01-01T00:00:00Z', reason: 'A test.' };
    },
    only: () => nobody,
  },
  {
    tool: 'lift_embargo',
    args(dice) {
      const id = dice.pick(dice.embargoed);
      const node = dice.heads.find((head) => head.id === id);
      return node && { node: node.id, rev: rev(dice, node), reason: 'A test.' };
    },
    only: () => nobody,
  },
];

const nodeRef = (dice: Dice) => dice.pick(dice.heads)!.id;
const read = (tool: string, args: (dice: Dice) => Args | undefined): Move => ({ tool, args });

/** What an agent looks at in between; it finds whatever the changes left. */
export const reads: readonly Move[] = [
  read('get_site', () => ({ include: ['settings', 'schema', 'counts', 'limits'] })),
  read('list_content_types', () => ({})),
  read('list_pages', (dice) => ({
    status: dice.pick(['draft', 'published', 'changed', 'trash']),
    fields: ['sections'],
  })),
  read('list_entries', (dice) => ({ type: 'article', sort: dice.pick(['-updated', 'title', '-path']), limit: 3 })),
  read('get_entry', (dice) => {
    const [entry] = some(dice, 'entry');
    return (
      entry && {
        entry: entry.id,
        bodyFormat: dice.pick(['markdown', 'blocks', 'outline']),
        view: dice.pick(['draft', 'live']),
      }
    );
  }),
  read('get_page', (dice) => {
    const [page] = some(dice, 'page');
    return page && { page: page.id, view: 'snapshot', snapshot: dice.pick(dice.snapshots)!.id };
  }),
  read('search_site', (dice) => ({ query: word(dice), view: dice.pick(['draft', 'live']) })),
  read('query_nodes', () => ({ where: { kind: 'entry' }, select: ['fields.title', 'terms'] })),
  read('resolve_path', (dice) => ({ path: `/${slug(dice)}`, view: dice.pick(['draft', 'live']) })),
  read('get_backlinks', (dice) => ({ node: nodeRef(dice) })),
  read('get_node_history', (dice) => ({ node: nodeRef(dice) })),
  read('list_terms', () => ({ taxonomy: 'topics' })),
  read('get_menu', () => ({ menu: 'header' })),
  read('list_redirects', (dice) => ({ problem: dice.pick(['chain', 'loop', 'dead']) })),
  read('test_redirect', (dice) => ({
    path: `/${slug(dice)}`,
    view: 'draft',
    proposed: [{ from: `/${slug(dice)}`, to: `/${slug(dice)}` }],
  })),
  read('list_locales', () => ({})),
  read('translation_status', () => ({})),
  read('get_translation', (dice) => {
    const node = dice.node('page', 'entry');
    return node && { node: node.id, locale: dice.pick(['de', 'fr']) };
  }),
  read('get_design', () => ({})),
  read('get_chrome', () => ({ view: 'live' })),
  read('validate_draft', (dice) => ({ node: nodeRef(dice) })),
  read('check_readiness', (dice) => ({ nodes: [nodeRef(dice), nodeRef(dice)] })),
  read('get_snapshot', (dice) => ({ snapshot: dice.pick(dice.snapshots)!.id })),
  read('diff_snapshots', (dice) => ({
    a: dice.pick(dice.snapshots)!.id,
    b: dice.pick(['draft', 'live', dice.pick(dice.snapshots)!.id]),
    format: dice.pick(['summary', 'fields', 'body']),
  })),
  read('get_publish_plan', () => ({ what: { all: true } })),
  read('list_publications', () => ({})),
  read('get_release', (dice) => {
    const release = dice.node('release');
    return release && { release: release.id, format: dice.pick(['summary', 'fields', 'body']) };
  }),
  read('list_embargoes', () => ({})),
  read('content_stats', (dice) => ({ by: dice.pick(['type', 'status', 'locale']) })),
  read('broken_links', () => ({ kind: 'internal' })),
];

/** A rollback, whose outcome is known beforehand. */
export const rollbackMove: Move = {
  tool: 'rollback',
  args: (dice) => ({
    snapshot: dice.pick(dice.snapshots)!.id,
    track: dice.pick(['draft', 'live', 'both'])!,
    expectLive: dice.liveSnapshot,
    reason: 'A test.',
  }),
  live: true,
};
