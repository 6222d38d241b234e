import type { Example, Made } from './example.ts';

const at = (made: Made, name: string) => made[name]!;
/** What names a thing to a change of it. */
const on = (made: Made, kind: 'page' | 'entry', name: string) => ({
  [kind]: at(made, name).id,
  rev: at(made, name).rev,
});

/** A site, its pages and its articles. */
export const siteAndPages: Example[] = [
  { tool: 'list_sites' },
  { tool: 'get_site', arguments: () => ({ include: ['schema', 'limits'] }), as: 'site' },
  {
    tool: 'update_site',
    arguments: (made) => ({ rev: at(made, 'site').rev, set: { tagline: 'News from a small port', comments: 'open' } }),
    as: 'site',
  },
  { tool: 'list_content_types' },
  { tool: 'get_content_type', arguments: () => ({ type: 'article' }) },
  {
    tool: 'propose_content_type',
    arguments: () => ({
      type: 'event',
      title: 'Event',
      description: 'Something that happens on a day.',
      pathPrefix: '/events',
      ops: [{ op: 'add', field: 'startsOn', schema: { type: 'string', format: 'date', title: 'Day' }, required: true }],
      reason: 'The calendar of the harbour fair.',
    }),
  },
  {
    tool: 'create_page',
    arguments: () => ({
      slug: 'about',
      title: 'About us',
      sections: [{ type: 'text', props: { markdown: 'We write about the harbour.' } }],
    }),
    as: 'about',
  },
  { tool: 'list_pages' },
  { tool: 'get_page', arguments: () => ({ page: '/about' }), as: 'about' },
  {
    tool: 'update_page',
    arguments: (made) => ({
      ...on(made, 'page', 'about'),
      set: { title: 'About the letter' },
    }),
    as: 'about',
  },
  {
    tool: 'add_section',
    arguments: (made) => ({
      ...on(made, 'page', 'about'),
      type: 'quote',
      props: { text: 'Nothing is lost.', source: 'The harbour master' },
      position: { index: 0 },
    }),
    as: 'about',
  },
  { tool: 'get_page', arguments: () => ({ page: '/about' }), as: 'about' },
  {
    tool: 'update_section',
    arguments: (made) => ({
      ...on(made, 'page', 'about'),
      section: at(made, 'about').data.sections[0].id,
      set: { source: 'The harbour office' },
    }),
    as: 'changed',
  },
  {
    tool: 'move_section',
    arguments: (made) => ({
      page: at(made, 'about').id,
      rev: at(made, 'changed').rev,
      section: at(made, 'about').data.sections[0].id,
      position: { index: 1 },
    }),
    as: 'changed',
  },
  {
    tool: 'remove_section',
    arguments: (made) => ({
      page: at(made, 'about').id,
      rev: at(made, 'changed').rev,
      section: at(made, 'about').data.sections[0].id,
    }),
    as: 'about',
  },
  {
    tool: 'move_page',
    arguments: (made) => ({ ...on(made, 'page', 'about'), slug: 'about-us' }),
    as: 'about',
  },
  { tool: 'create_page', arguments: () => ({ slug: 'press', title: 'Press' }), as: 'press' },
  {
    tool: 'delete_page',
    arguments: (made) => ({ ...on(made, 'page', 'press'), onInboundLinks: 'refuse' }),
  },
];

export const articles: Example[] = [
  {
    tool: 'create_entry',
    arguments: () => ({
      type: 'article',
      slug: 'the-ferry-is-back',
      fields: { title: 'The ferry is back', summary: 'It crosses twice an hour.', publishedOn: '2026-03-02' },
      body: 'After six weeks the ferry crosses again.\n\nThe first boat leaves at six.\n',
    }),
    as: 'ferry',
  },
  { tool: 'list_entries', arguments: () => ({ type: 'article', sort: '-updated' }) },
  { tool: 'get_entry', arguments: () => ({ entry: 'the-ferry-is-back', bodyFormat: 'blocks' }), as: 'blocks' },
  {
    tool: 'update_entry',
    arguments: (made) => ({
      ...on(made, 'entry', 'ferry'),
      set: { summary: 'It crosses twice an hour again.' },
    }),
    as: 'ferry',
  },
  {
    tool: 'edit_body',
    arguments: (made) => ({
      ...on(made, 'entry', 'ferry'),
      edits: [{ find: 'at six', replace: 'at half past six' }],
    }),
    as: 'ferry',
  },
  {
    tool: 'patch_draft',
    arguments: (made) => ({
      ...on(made, 'entry', 'ferry'),
      ops: [{ op: 'insert', after: at(made, 'blocks').data.blocks[0].id, content: 'The hull has been painted.' }],
    }),
    as: 'ferry',
  },
  {
    tool: 'add_correction',
    arguments: (made) => ({
      ...on(made, 'entry', 'ferry'),
      kind: 'correction',
      text: 'An earlier version said six. The first boat leaves at half past six.',
    }),
    as: 'ferry',
  },
  { tool: 'list_corrections' },
  { tool: 'duplicate_entry', arguments: () => ({ entry: 'the-ferry-is-back', slug: 'the-ferry-again' }), as: 'copy' },
  {
    tool: 'bulk_update_entries',
    arguments: (made) => ({
      items: [{ ...on(made, 'entry', 'copy') }],
      set: { publishedOn: '2026-03-03' },
      dryRun: false,
    }),
  },
  { tool: 'get_entry', arguments: () => ({ entry: 'the-ferry-again' }), as: 'copy' },
  {
    tool: 'delete_entry',
    arguments: (made) => ({ ...on(made, 'entry', 'copy') }),
  },
  { tool: 'restore_node', arguments: (made) => ({ node: at(made, 'copy').id, from: 'trash' }), as: 'copy' },
  {
    tool: 'import_entries',
    arguments: () => ({
      type: 'article',
      items: [
        { slug: 'tides', frontmatter: { title: 'The tides of May' }, body: 'High water is at noon.\n' },
        { slug: 'nets', frontmatter: { title: 'Nets and knots' }, body: 'How a net is mended.\n' },
      ],
    }),
  },
  {
    tool: 'propose_person',
    arguments: () => ({ set: { name: 'Ada Quay', slug: 'ada-quay' }, reason: 'Writes for us from May on.' }),
    as: 'ada',
  },
  { tool: 'list_people' },
];

export const search: Example[] = [
  { tool: 'search_site', arguments: () => ({ query: 'ferry' }) },
  { tool: 'query_nodes', arguments: () => ({ where: { kind: 'entry', type: 'article' }, select: ['fields.title'] }) },
  { tool: 'resolve_path', arguments: () => ({ path: '/articles/the-ferry-is-back', view: 'draft' }) },
  { tool: 'get_backlinks', arguments: () => ({ node: '/articles/the-ferry-is-back' }) },
  { tool: 'get_node_history', arguments: () => ({ node: '/articles/the-ferry-is-back' }) },
];
