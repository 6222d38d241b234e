import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRedirectHits } from '../../site/redirect-hits.ts';
import { servePage } from '../../site/site-page.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
  const about = await site.data('create_page', { title: 'About', path: '/about' });
  const german = await site.data('create_page', { title: 'Über', path: '/about', locale: 'de' });
  await site.publish(about.id, german.id);
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

type Item = { from: string; to?: string; status?: number };
const add = async (...items: Item[]) => (await site.data('add_redirect', { items, reason: 'test' })).redirects;
const refusal = (...items: Item[]) => site.refusal('add_redirect', { items, reason: 'test' });
const served = (path: string) => servePage(site.database, { site: 'example', path, basePath: '/sites/example' });
const leads = async (path: string) => {
  const { status, location } = await served(path);
  return location === undefined ? [status] : [status, location];
};
async function publish(...nodes: string[]) {
  const { expectDraft } = await site.data('get_publish_plan', { what: { nodes } });
  return site.call('publish', { what: { nodes }, expectDraft });
}

describe('add_redirect', () => {
  it('always takes a person, and readers are led on once it is published', async () => {
    expect(await site.assess('add_redirect', { items: [{ from: '/x', to: '/about' }], reason: 'r' })).toMatchObject({
      effect: 'person',
    });
    const before = await site.check();
    const made = await add(
      { from: '/old', to: '/about?from=old#team' },
      { from: '/shop', to: 'https://shop.example/a%20b', status: 307 },
      { from: '/closed', status: 410 },
      { from: '/Alte Seite.html', to: '/de/about', status: 302 },
    );
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await leads('/old')).toEqual([404]);
    const ids = made.map(({ id }: { id: string }) => id);
    const { expectDraft } = await site.data('get_publish_plan', { what: { nodes: ids } });
    expect((await site.assess('publish', { what: { nodes: ids }, expectDraft })).effect).toBe('person');
    await publish(...ids);
    expect(await leads('/old')).toEqual([301, '/sites/example/about?from=old#team']);
    expect(await leads('/shop')).toEqual([307, 'https://shop.example/a%20b']);
    expect(await leads('/closed')).toEqual([410]);
    expect(await leads('/Alte Seite.html')).toEqual([302, '/sites/example/de/about']);
  });

  it('goes back with a rollback and is part of a diff', async () => {
    const { snapshot } = await site.call('create_snapshot', { label: 'before' });
    const [{ id }] = await add({ from: '/temporary', to: '/about' });
    await publish(id);
    const { differences } = await site.data('diff_snapshots', { a: snapshot, b: 'live', track: 'live' });
    expect(differences).toMatchObject([{ id, kind: 'redirect', change: 'added', path: '/temporary' }]);
    expect(await leads('/temporary')).toEqual([301, '/sites/example/about']);
    const { liveSnapshot } = await site.data('get_site');
    const back = { snapshot, track: 'both', expectLive: liveSnapshot, reason: 'r' };
    expect((await site.assess('rollback', back)).effect).toBe('person');
    await site.call('rollback', back);
    expect(await leads('/temporary')).toEqual([404]);
  });

  it.each([
    ['to itself', [{ from: '/loop', to: '/loop?x=1' }], 'redirect_loop'],
    [
      'in a circle',
      [
        { from: '/one', to: '/two' },
        { from: '/two', to: '/three' },
        { from: '/three', to: '/one' },
      ],
      'redirect_loop',
    ],
    ['to another redirect', [{ from: '/detour', to: '/old' }], 'redirect_loop'],
    [
      'behind another redirect',
      [
        { from: '/end', to: '/about' },
        { from: '/start', to: '/end' },
      ],
      'redirect_loop',
    ],
    ['in front of a page', [{ from: '/about', to: '/articles' }], 'redirect_loop'],
    ['in front of a page of another locale', [{ from: '/de/about', to: '/about' }], 'redirect_loop'],
    ['in front of a list', [{ from: '/articles', to: '/about' }], 'redirect_loop'],
    [
      'twice',
      [
        { from: '/twice', to: '/about' },
        { from: '/twice/', to: '/articles' },
      ],
      'slug_taken',
    ],
    ['where one is', [{ from: '/old', to: '/articles' }], 'slug_taken'],
    ['without a target', [{ from: '/nothing' }], 'validation_failed'],
    ['gone with a target', [{ from: '/gone', to: '/about', status: 410 }], 'validation_failed'],
    ['with another status', [{ from: '/teapot', to: '/about', status: 418 }], 'validation_failed'],
    ['of nothing', [], 'validation_failed'],
  ] as [string, Item[], string][])('is refused %s', async (_, items, code) => {
    const before = await site.check();
    expect(await refusal(...items)).toMatchObject({ code, applied: 'no' });
    expect((await site.check()).seq).toBe(before.seq);
  });

  it.each([
    'no-slash',
    '/',
    '//host/x',
    '/\\host',
    '/a/../mcp',
    '/a/./b',
    '/a%2F..%2Fb',
    '/a%2fb',
    '/a%5cb',
    '/a%252e',
    '/a?x=1',
    '/a#b',
    '/a\u200bb',
    '/a\u202eb',
    '/%E0%A4%A',
    '/аdmin-page',
    '/ａbout',
    '/mcp',
    '/MCP/x',
    '/api/keys',
    '/Studio',
    '/.well-known/x',
    '/feed.xml',
    '/Robots.txt',
    `/${'x'.repeat(1100)}`,
  ])('does not answer for %s', async (from) => {
    expect(await refusal({ from, to: '/about' })).toMatchObject({ code: 'validation_failed', applied: 'no' });
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://example.com/',
    'https:example.com',
    'https:/\\example.com',
    'https://user:secret@example.com/',
    'https://',
    '//example.com',
    '/\\example.com',
    '/\t/example.com',
    '/a/../../b',
    '/%2F%2Fexample.com',
    'mailto:a@example.com',
    'about',
    ' https://example.com',
    'https://example.com/\r\nSet-Cookie: a=b',
  ])('does not lead to %s', async (to) => {
    expect(await refusal({ from: '/away', to })).toMatchObject({ code: 'validation_failed', applied: 'no' });
  });

  it('shows a person the real name of a host in other letters', async () => {
    const { summary } = await site.assess('add_redirect', {
      items: [{ from: '/bank', to: 'https://pаypal.com/' }],
      reason: 'r',
    });
    expect(JSON.stringify(summary)).toContain('xn--');
  });

  it('says what is at neither end', async () => {
    const { warnings } = await site.call('add_redirect', {
      items: [{ from: '/to-nowhere', to: '/nowhere' }],
      reason: 'r',
    });
    expect(warnings).toEqual(['Nothing is at /nowhere, where /to-nowhere leads.']);
    const { summary } = await site.assess('add_redirect', { items: [{ from: '/x', to: '/nowhere' }], reason: 'r' });
    expect(summary.lines).toContain('Nothing is at /nowhere, where /x leads.');
  });

  it('keeps its path: no page can be made there', async () => {
    expect(await site.refusal('create_page', { title: 'Old', path: '/old' })).toMatchObject({ code: 'slug_taken' });
  });
});

describe('update_redirect and delete_redirect', () => {
  it('change a target, and take redirects away', async () => {
    const [{ id }] = await add({ from: '/moving', to: '/about' });
    expect(await site.data('update_redirect', { redirect: '/moving', rev: 1, set: { to: '/articles' } })).toMatchObject(
      {
        id,
        to: '/articles',
        rev: 2,
      },
    );
    expect(await site.refusal('update_redirect', { redirect: id, rev: 1, set: { status: 302 } })).toMatchObject({
      code: 'rev_conflict',
    });
    expect(await site.refusal('update_redirect', { redirect: id, rev: 2, set: { to: '/old' } })).toMatchObject({
      code: 'redirect_loop',
    });
    expect(await site.data('update_redirect', { redirect: id, rev: 2, set: { status: 410 } })).not.toHaveProperty('to');
    await site.call('delete_redirect', { items: [{ redirect: id, rev: 3 }] });
    expect(await site.refusal('update_redirect', { redirect: id, rev: 4, set: { status: 302 } })).toMatchObject({
      code: 'not_found',
    });
    expect((await site.assess('restore_node', { node: id, from: 'trash' })).effect).toBe('person');
  });
});

describe('list_redirects', () => {
  it('shows hits and what leads nowhere', async () => {
    const hits = countRedirectHits(site.database, { warn: () => undefined });
    for (let i = 0; i < 3; i++) {
      await servePage(site.database, { site: 'example', path: '/old', basePath: '' }, hits);
    }
    await servePage(site.database, { site: 'example', path: '/about', basePath: '' }, hits);
    const before = await site.check();
    await hits.flush();
    hits.count(site.id, (await site.view().get('redirect', '/old')).id);
    await hits.stop();
    expect((await site.check()).seq).toBe(before.seq);
    const { redirects } = await site.data('list_redirects', { from: 'old' });
    expect(redirects).toMatchObject([{ from: '/old', status: 301, hits: 4, state: 'published' }]);
    expect((await site.data('list_redirects', { problem: 'dead' })).redirects).toMatchObject([
      { from: '/to-nowhere', problem: 'dead', hits: 0 },
    ]);
  });

  it('finds chains and loops that an undo of other changes left behind', async () => {
    await site.change(async (draft) => {
      for (const [from, to] of [
        ['/c1', '/c2'],
        ['/c2', '/about'],
        ['/l1', '/l2'],
        ['/l2', '/l1'],
      ]) {
        await draft.create('redirect', { from: from!, to: to!, status: 301, locale: 'en' });
      }
    });
    const found = async (problem: string) =>
      (await site.data('list_redirects', { problem })).redirects.map(({ from }: { from: string }) => from);
    expect(await found('chain')).toEqual(['/c1']);
    expect(await found('loop')).toEqual(['/l1', '/l2']);
  });

  it('is read in pages', async () => {
    const all: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await site.call('list_redirects', { limit: 3, ...(cursor && { cursor }) });
      all.push(...(page.data as { redirects: { from: string }[] }).redirects.map(({ from }) => from));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(all).toEqual([...new Set(all)].sort());
    expect(all).toContain('/old');
  });
});

describe('a published site', () => {
  it('leads readers to the end of a chain at once, and nobody into a loop', async () => {
    const ids = await Promise.all(
      ['/c1', '/c2', '/l1', '/l2'].map(async (from) => (await site.view().get('redirect', from)).id),
    );
    await site.publish(...ids);
    expect(await leads('/c1')).toEqual([301, '/sites/example/about']);
    expect(await leads('/l1')).toEqual([404]);
  });
});

describe('test_redirect', () => {
  it.each([
    ['/old', [], 'redirected', ['/old']],
    ['https://example.com/sites/example/old?x=1', [], 'redirected', ['/old']],
    ['/about', [], 'served', []],
    ['/closed', [], 'gone', ['/closed']],
    ['/shop', [], 'elsewhere', ['/shop']],
    ['/to-nowhere', [], 'not_found', ['/to-nowhere']],
    [
      '/p1',
      [
        { from: '/p1', to: '/p2' },
        { from: '/p2', to: '/old' },
      ],
      'redirected',
      ['/p1', '/p2', '/old'],
    ],
    [
      '/p1',
      [
        { from: '/p1', to: '/p2' },
        { from: '/p2', to: '/p1' },
      ],
      'loop',
      ['/p1', '/p2'],
    ],
  ] as [string, Item[], string, string[]][])('says where %s with %j leads', async (path, proposed, outcome, chain) => {
    const data = await site.data('test_redirect', { path, proposed });
    expect(data.outcome).toBe(outcome);
    expect(data.chain.map(({ from }: { from: string }) => from)).toEqual(chain);
  });
});

describe('resolve_path', () => {
  it('follows redirects', async () => {
    const about = await site.view().get('page', '/about', { locale: 'en' });
    expect(await site.data('resolve_path', { path: '/old' })).toMatchObject({
      id: about.id,
      via: [{ from: '/old', status: 301 }],
    });
    expect(await site.data('resolve_path', { path: '/de/about' })).toMatchObject({ kind: 'page', locale: 'de' });
    expect(await site.data('resolve_path', { path: '/shop' })).toMatchObject({ kind: 'redirect', path: '/shop' });
    expect(await site.refusal('resolve_path', { path: '/nowhere' })).toMatchObject({ code: 'not_found' });
  });
});
