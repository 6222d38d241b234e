import type { Example } from './example.ts';

/** How a site hangs together: its menus and old addresses. */
export const menusAndRedirects: Example[] = [
  {
    tool: 'set_menu',
    arguments: () => ({
      menu: 'header',
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
