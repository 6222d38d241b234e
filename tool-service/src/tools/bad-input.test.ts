import { gzipSync } from 'node:zlib';
import { errorTable } from '@cloudhal/shared/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../fetch/guarded-fetch.ts';
import { hugePng } from '../media/testing/pictures.ts';
import { openToolSite, type ToolSite } from './testing/tool-site.ts';

type Args = Record<string, unknown>;
type Things = Record<
  'page' | 'below' | 'entry' | 'draft' | 'menu' | 'redirect' | 'release' | 'person',
  { id: string; rev: number }
>;
type Wrong = [what: string, tool: string, args: (there: Things) => Args | Promise<Args>, code?: string];

const reason = 'A test.';
const article = { type: 'article', fields: { title: 'A', summary: 'B' } };
const of = ({ id: entry, rev }: { id: string; rev: number }) => ({ entry, rev });

let site: ToolSite;
let there: Things;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
  site.deps.can.fetch = createGuardedFetch({ resolve: async () => ['127.0.0.1'] });
  const { data } = site;
  const page = await data('create_page', { slug: 'about', title: 'About' });
  const below = await data('create_page', { slug: 'team', parent: '/about', title: 'Team' });
  for (const [label, parent] of [['Sea'], ['Fish', 'sea']]) {
    await data('propose_term', { op: 'create', taxonomy: 'topics', set: { label, ...(parent && { parent }) }, reason });
  }
  const entry = await data('create_entry', { ...article, slug: 'ferry', body: 'One.\n\nTwo.\n' });
  const draft = await data('create_entry', { ...article, slug: 'nets' });
  const menu = await data('set_menu', { menu: 'header', rev: 0, items: [] });
  await data('add_redirect', { items: [{ from: '/old', to: '/about' }], reason });
  const redirect = (await data('list_redirects')).redirects[0];
  const release = await data('create_release', { title: 'Spring' });
  const person = await data('propose_person', { set: { name: 'Ada' }, reason });
  await data('publish', { what: { nodes: [entry.id] }, expectDraft: (await site.view().head()).snapshot });
  there = { page, below, entry, draft, menu, redirect, release, person };
  for (const thing of Object.values(there)) thing.rev ??= 1;
});
afterAll(() => site.drop());

/** The code of the refusal; the site is the very same afterwards. */
async function refusal([, tool, args]: Wrong): Promise<string> {
  const before = await site.check();
  const body = await site.refusal(tool, await args(there));
  expect(body).toMatchObject({
    applied: 'no',
    message: expect.stringMatching(/\S/),
    next: expect.stringMatching(/\S/),
  });
  expect(Object.keys(errorTable)).toContain(body.code);
  expect(await site.check()).toEqual(before);
  return body.code;
}

const table = (rows: Wrong[]) =>
  it.each(rows)('%j: %s', async (...row) => {
    expect(await refusal(row as unknown as Wrong)).toBe(row[3] ?? 'validation_failed');
  });

describe('nothing to do is no call', () => {
  const rows: Wrong[] = [
    ['no ids and not all', 'publish', () => ({ what: {}, expectDraft: 'sn_x' })],
    ['all and some', 'publish', ({ page }) => ({ what: { all: true, nodes: [page.id] }, expectDraft: 'sn_x' })],
    ['neither more terms nor fewer', 'assign_terms', ({ entry }) => ({ items: [of(entry)], taxonomy: 'topics' })],
    ['nothing to set', 'bulk_update_entries', ({ entry }) => ({ items: [of(entry)], dryRun: false })],

    ['neither words nor a likeness', 'search_site', () => ({})],
    ['neither a node nor a call', 'validate_draft', () => ({})],
    ['neither a path nor a slug', 'create_page', () => ({ title: 'A', slug: '', path: '' })],
    ['neither a file nor an upload', 'upload_asset', () => ({ filename: 'a.png', alt: 'A' })],
    ['no text', 'save_translation', ({ entry }) => ({ node: entry.id, locale: 'de', rev: 0, sourceRev: 1 })],
  ];
  table(rows);
});

describe('one thing twice in a list', () => {
  const twice = <T>(one: T) => [one, one];
  table([
    [
      'an entry',
      'bulk_update_entries',
      ({ entry }) => ({ items: twice(of(entry)), set: { title: 'B' }, dryRun: false }),
    ],
    ['an entry', 'assign_terms', ({ entry }) => ({ items: twice(of(entry)), taxonomy: 'topics', add: ['sea'] })],
    [
      'a slug',
      'import_entries',
      () => ({
        type: 'article',
        onExisting: 'fail',
        items: twice({ slug: 'twin', frontmatter: { title: 'A', summary: 'B' } }),
      }),
    ],
    ['an address', 'add_redirect', () => ({ items: twice({ from: '/twice', to: '/about' }), reason }), 'slug_taken'],
    [
      'a redirect',
      'delete_redirect',
      ({ redirect }) => ({ items: twice({ redirect: redirect.id, rev: redirect.rev }) }),
      'not_found',
    ],
    ['a node', 'create_release', ({ entry }) => ({ title: 'A', items: twice({ node: entry.id }) })],
  ]);
});

describe('a locale that the site does not have', () => {
  const locales = ['fr', 'EN', 'en-us', 'en_US', 'x', '', '../de', 'e\u0301n', '__proto__'];
  const rows = locales.flatMap((locale): Wrong[] => [
    [locale, 'create_entry', () => ({ ...article, locale })],
    [locale, 'create_page', () => ({ slug: 'b', title: 'B', locale })],
    [locale, 'update_entry', ({ entry }) => ({ ...of(entry), locale, set: { title: 'B' } })],
    [locale, 'edit_body', ({ entry }) => ({ ...of(entry), locale, edits: [{ find: 'One', replace: 'Two' }] })],
    [
      locale,
      'import_entries',
      () => ({ type: 'article', locale, items: [{ slug: 'b', frontmatter: { title: 'B', summary: 'B' } }] }),
    ],
    [
      locale,
      'save_translation',
      ({ entry }) => ({ node: entry.id, locale, rev: 0, sourceRev: 1, fields: { title: 'B' } }),
    ],
    [locale, 'get_translation', ({ entry }) => ({ node: entry.id, locale })],
    [locale, 'delete_translation', ({ entry }) => ({ node: entry.id, locale, rev: 1 })],
    [locale, 'set_menu', () => ({ menu: 'footer', rev: 0, locale, items: [] })],
    [
      locale,
      'propose_term',
      () => ({ op: 'translate', taxonomy: 'topics', term: 'sea', set: { locale, label: 'B' }, reason }),
    ],
    [locale, 'set_chrome', () => ({ rev: 0, set: { [`banner.text.${locale}`]: 'B' } })],
    [locale, 'translation_status', () => ({ locale })],
  ]);
  table(rows);
});

describe('a circle', () => {
  const nested = (depth: number): Args => ({
    label: 'A',
    target: { url: '/' },
    ...(depth > 1 && { children: [nested(depth - 1)] }),
  });
  table([
    ['a page under itself', 'move_page', ({ page }) => ({ page: page.id, rev: page.rev, parent: page.id })],
    [
      'a page under a page below it',
      'move_page',
      ({ page, below }) => ({ page: page.id, rev: page.rev, parent: below.id }),
    ],
    [
      'a term under itself',
      'propose_term',
      () => ({ op: 'move', taxonomy: 'topics', term: 'sea', set: { parent: 'sea' }, reason }),
    ],
    [
      'a term under a term below it',
      'propose_term',
      () => ({ op: 'move', taxonomy: 'topics', term: 'sea', set: { parent: 'fish' }, reason }),
    ],
    [
      'a term that becomes itself',
      'propose_term',
      () => ({ op: 'merge', taxonomy: 'topics', term: 'sea', into: 'sea', reason }),
    ],
    [
      'a term that becomes one below it',
      'propose_term',
      () => ({ op: 'merge', taxonomy: 'topics', term: 'sea', into: 'fish', reason }),
    ],
    [
      'a menu without an end',
      'set_menu',
      ({ menu }) => ({ menu: 'header', rev: menu.rev, items: [nested(50)] }),
      'limit_exceeded',
    ],
    ['a redirect to itself', 'add_redirect', () => ({ items: [{ from: '/a', to: '/a' }], reason }), 'redirect_loop'],
    [
      'redirects to each other',
      'add_redirect',
      () => ({
        items: [
          { from: '/a', to: '/b' },
          { from: '/b', to: '/a' },
        ],
        reason,
      }),
      'redirect_loop',
    ],
    ['a redirect back', 'add_redirect', () => ({ items: [{ from: '/b', to: '/old' }], reason }), 'redirect_loop'],
    [
      'a redirect before a page',
      'add_redirect',
      () => ({ items: [{ from: '/about', to: '/old' }], reason }),
      'redirect_loop',
    ],
    [
      'a redirect that is turned round',
      'update_redirect',
      ({ redirect }) => ({ redirect: redirect.id, rev: redirect.rev, set: { to: '/old' } }),
      'redirect_loop',
    ],
  ]);
});

describe('a slug that is not what it seems', () => {
  const tricks = [
    'Ferry',
    'FERRY',
    'f\u0435rry',
    'ｆｅｒｒｙ',
    'ferrỳ',
    'ſlip',
    'ﬁsh',
    'ferry\u200b',
    'fer\u00adry',
    'a\u202eb',
    '.',
    '..',
    '.well-known',
    '%2e%2e',
    '..%2fadmin',
    'a/b',
    'a\\b',
    '/a',
    'a b',
    ' a',
    'a\n',
    'a\t',
    '-a',
    'a-',
    '_',
    '__proto__',
    'xn--ferry-1a',
    '١٢',
    '①',
    '\u{1f600}',
    "a'b",
    'a;b',
    'a?b',
    'a#b',
    'x'.repeat(97),
  ];
  const rows = tricks.flatMap((slug): Wrong[] => [
    [slug, 'create_page', () => ({ slug, title: 'B' })],
    [slug, 'move_page', ({ page }) => ({ page: page.id, rev: page.rev, slug })],
    [slug, 'create_entry', () => ({ ...article, slug })],
    [slug, 'update_entry', ({ draft }) => ({ ...of(draft), slug })],
    [slug, 'duplicate_entry', ({ entry }) => ({ entry: entry.id, slug })],
    [slug, 'propose_person', ({ person }) => ({ person: person.id, rev: person.rev, set: { slug }, reason })],
    [slug, 'propose_term', () => ({ op: 'create', taxonomy: 'topics', set: { label: 'B', slug }, reason })],
    [slug, 'propose_term', () => ({ op: 'rename', taxonomy: 'topics', term: 'sea', set: { slug }, reason })],
    [
      slug,
      'save_translation',
      ({ entry }) => ({ node: entry.id, locale: 'de', rev: 0, sourceRev: 1, fields: { title: 'B' }, slug }),
    ],
    [slug, 'set_menu', () => ({ menu: slug, rev: 0, items: [] })],
  ]);
  table(rows);

  const reserved = ['admin', 'api', 'mcp', 'sites', 'studio', 'preview', 'well-known', 'schemas', 'skills', 'login'];
  table(
    reserved.flatMap((slug): Wrong[] => [
      [slug, 'create_page', () => ({ slug, title: 'B' })],
      [slug, 'move_page', ({ page }) => ({ page: page.id, rev: page.rev, slug })],
      [slug, 'add_redirect', () => ({ items: [{ from: `/${slug}`, to: '/about' }], reason })],
      [slug, 'add_redirect', () => ({ items: [{ from: `/${slug.toUpperCase()}/x`, to: '/about' }], reason })],
      [
        slug,
        'propose_content_type',
        () => ({ type: 'thing', title: 'Thing', pathPrefix: `/${slug}`, ops: [], reason }),
      ],
      [slug, 'propose_term', () => ({ op: 'create_taxonomy', taxonomy: slug, set: { title: 'B' }, reason })],
    ]),
  );
});

describe('an address that leads astray', () => {
  const targets = [
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example/a',
    '/\\evil.example',
    '\\\\evil.example',
    'file:///etc/passwd',

    'http://',
  ];
  const rows = targets.flatMap((url): Wrong[] => [
    [url, 'set_menu', ({ menu }) => ({ menu: 'header', rev: menu.rev, items: [{ label: 'A', target: { url } }] })],
    [url, 'set_chrome', () => ({ rev: 0, set: { 'banner.href': url } })],
    [url, 'add_redirect', () => ({ items: [{ from: '/away', to: url }], reason })],
    [url, 'update_redirect', ({ redirect }) => ({ redirect: redirect.id, rev: redirect.rev, set: { to: url } })],
    [url, 'propose_person', ({ person }) => ({ person: person.id, rev: person.rev, set: { url }, reason })],
    [
      url,
      'add_section',
      ({ page }) => ({
        page: page.id,
        rev: page.rev,
        type: 'call_to_action',
        props: { text: 'A', link: { label: 'B', href: url } },
      }),
    ],
    [url, 'unpublish', ({ entry }) => ({ items: [{ node: entry.id, rev: entry.rev }], redirect: url })],
  ]);
  table(rows);
});

describe('an address inside', () => {
  const inside = [
    'http://127.0.0.1/a.png',
    'http://localhost/a.png',
    'http://LOCALHOST./a.png',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://named-inside.example/a.png',
    'https://user:word@named-inside.example/',
    'http://example.com@127.0.0.1/',
    'ftp://example.com/a.png',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'data:image/png;base64,AAAA',
    'a.png',
    '//example.com/a.png',
  ];
  it.each(inside)('is not fetched: %s', async (url) => {
    const code = await refusal(['', 'fetch_asset_url', () => ({ url, alt: 'A' })]);
    expect(['fetch_blocked', 'validation_failed']).toContain(code);
  });
});

describe('a file that is a trap', () => {
  const upload =
    (bytes: Buffer | Promise<Buffer>, filename = 'a.png') =>
    async () => ({ filename, base64: (await bytes).toString('base64'), alt: 'A' });
  const svg = (inner: string, more = '') =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"${more}>${inner}</svg>`);
  table([
    ['more pixels than memory', 'upload_asset', upload(hugePng()), 'limit_exceeded'],
    ['an archive', 'upload_asset', upload(gzipSync(Buffer.alloc(10_000_000))), 'unsupported_media'],
    ['a packed drawing', 'upload_asset', upload(gzipSync(svg(' '.repeat(1_000_000))), 'a.svgz'), 'unsupported_media'],
    ['a page', 'upload_asset', upload(Buffer.from('<!doctype html><script>alert(1)</script>')), 'unsupported_media'],
    [
      'a page that calls itself a drawing',
      'upload_asset',
      upload(Buffer.from('<html><svg/><script>alert(1)</script></html>'), 'a.svg'),
      'unsupported_media',
    ],
    ['no base64', 'upload_asset', () => ({ filename: 'a.png', base64: '****', alt: 'A' })],
    [
      'too much of it',
      'start_asset_upload',
      () => ({ filename: 'a.png', mime: 'image/png', bytes: 1_000_000_000_000, sha256: 'a'.repeat(64) }),
      'limit_exceeded',
    ],
  ]);
});

describe('a text that no store takes', () => {
  table(
    ['a\u0000b', '\ud800', 'a\udfff'].flatMap((text): Wrong[] => [
      [text, 'create_entry', () => ({ ...article, body: text }), 'invalid_unicode'],
      [text, 'create_page', () => ({ slug: 'b', title: text }), 'invalid_unicode'],
      [text, 'set_chrome', () => ({ rev: 0, set: { 'banner.text': text } }), 'invalid_unicode'],
      [text, 'create_snapshot', () => ({ label: text }), 'invalid_unicode'],
    ]),
  );
});

describe('times and numbers that the store does not hold', () => {
  const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');
  const huge = [1e300, 1.5, -1e300].flatMap((value): Wrong[] => [
    [`${value}`, 'get_node_history', ({ entry }) => ({ node: entry.id, cursor: cursor(value) })],
    [`${value}`, 'list_snapshots', () => ({ cursor: cursor(value) })],
    [`${value}`, 'list_assets', () => ({ cursor: cursor(value, 'as_1') })],
    [`${value}`, 'list_entries', () => ({ type: 'article', sort: '-updated', cursor: cursor(value, 'en_1') })],
  ]);
  table([
    ...huge,
    ['year 0', 'list_entries', () => ({ type: 'article', updatedSince: '0000-01-01' })],
    ['year 0', 'list_snapshots', () => ({ since: '0000-01-01' })],
    ['year 0', 'list_embargoes', () => ({ cursor: cursor('0000-01-01T00:00:00Z', 'en_1') })],
    ['year 0', 'get_analytics', () => ({ metric: 'views', range: '0000-01-01/0000-02-01' })],
    ['a rev', 'create_release', ({ entry }) => ({ title: 'X', items: [{ node: entry.id, rev: 2_147_483_648 }] })],
    [
      'a rev',
      'save_translation',
      ({ entry }) => ({ node: entry.id, locale: 'de', rev: 0, sourceRev: Number.MAX_SAFE_INTEGER, fields: {} }),
    ],
  ]);
});

describe('members that all objects have', () => {
  const named = (name: string, value: unknown = 'x') =>
    JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`) as Args;
  const rows = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].flatMap((name): Wrong[] => [
    [name, 'create_entry', () => ({ type: 'article', fields: { ...article.fields, ...named(name) } })],
    [name, 'create_entry', () => ({ type: name, fields: article.fields })],
    [name, 'create_entry', () => ({ ...article, terms: named(name, ['sea']) })],
    [name, 'update_entry', ({ entry }) => ({ ...of(entry), set: named(name) })],
    [name, 'update_entry', ({ entry }) => ({ ...of(entry), unset: [name] })],
    [
      name,
      'update_page',
      ({ page }) => ({ page: page.id, rev: page.rev, set: { sections: named(name, {}) } }),
      'not_found',
    ],
    [
      name,
      'add_section',
      ({ page }) => ({ page: page.id, rev: page.rev, type: 'quote', props: { text: 'A', ...named(name) } }),
    ],
    [name, 'list_entries', () => ({ type: 'article', where: named(name, { eq: 'x' }) })],
    [name, 'query_nodes', () => ({ where: named(name, { eq: 'x' }), select: ['title'] })],
    [name, 'set_design', () => ({ rev: 0, set: named(name) })],
    [name, 'set_chrome', () => ({ rev: 0, set: named(name) })],
    [name, 'propose_term', () => ({ op: 'describe', taxonomy: 'topics', term: 'sea', set: named(name), reason })],
    [
      name,
      'save_translation',
      ({ entry }) => ({ node: entry.id, locale: 'de', rev: 0, sourceRev: 1, fields: named(name) }),
    ],
  ]);
  table(rows);
});
