import type { Example } from './example.ts';

/** How a site hangs together: its menus and old addresses. */
export const menusAndRedirects: Example[] = [
  {
    tool: 'set_menu',
    arguments: () => ({
      menu: 'header',
      rev: 0,
      items: [
        { label: 'Articles', target: { url: '/articles' } },
        { label: 'About', target: { node: '/about-us' } },
      ],
    }),
  },
  { tool: 'list_menus' },
  { tool: 'get_menu', arguments: () => ({ menu: 'header' }) },
  {
    tool: 'add_redirect',
    arguments: () => ({
      items: [{ from: '/ferry', to: '/articles/the-ferry-is-back', status: 301 }],
      reason: 'Posters have the short address.',
    }),
  },
  { tool: 'list_redirects', as: 'redirects' },
  { tool: 'test_redirect', arguments: () => ({ path: '/ferry', view: 'draft' }) },
  {
    tool: 'update_redirect',
    arguments: ({ redirects }) => ({
      redirect: redirects!.data.redirects[0].id,
      rev: redirects!.data.redirects[0].rev,
      set: { status: 302 },
    }),
  },
  { tool: 'list_redirects', as: 'redirects' },
  {
    tool: 'delete_redirect',
    arguments: ({ redirects }) => ({
      items: [{ redirect: redirects!.data.redirects[0].id, rev: redirects!.data.redirects[0].rev }],
    }),
  },
];

/** What entries are about. */
export const taxonomies: Example[] = [
  { tool: 'list_taxonomies' },
  {
    tool: 'propose_term',
    arguments: () => ({
      op: 'create',
      taxonomy: 'topics',
      set: { label: 'Ferries', slug: 'ferries' },
      reason: 'Readers ask for all of them.',
    }),
  },
  { tool: 'list_terms', arguments: () => ({ taxonomy: 'topics' }) },
  { tool: 'list_term_proposals' },
  {
    tool: 'assign_terms',
    arguments: ({ ferry }) => ({
      items: [{ entry: ferry!.id, rev: ferry!.rev }],
      taxonomy: 'topics',
      add: ['ferries'],
    }),
  },
  { tool: 'get_entry', arguments: () => ({ entry: 'the-ferry-is-back' }), as: 'ferry' },
];

/** How a site looks. */
export const looks: Example[] = [
  { tool: 'get_design', as: 'design' },
  {
    tool: 'set_design',
    arguments: ({ design }) => ({ rev: design!.data.rev, set: { 'light.accent': '#0b5d6b' } }),
  },
  { tool: 'get_chrome', as: 'chrome' },
  {
    tool: 'set_chrome',
    arguments: ({ chrome }) => ({ rev: chrome!.data.rev, set: { 'banner.text': 'The fair is on Sunday.' } }),
  },
];
