import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage } from '../../site/site-page.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const newPage = (path: string, more: Record<string, unknown> = {}) =>
  site.data('create_page', { title: path, path, ...more });
async function publish(...nodes: string[]) {
  const { expectDraft } = await site.data('get_publish_plan', { what: { nodes } });
  return site.call('publish', { what: { nodes }, expectDraft });
}
const leads = async (path: string) => {
  const { status, location } = await servePage(site.database, { site: 'example', path, basePath: '' });
  return location === undefined ? [status] : [status, location];
};

describe('a page that moves', () => {
  it('leads readers on as soon as it is published, and so do the pages below it', async () => {
    const above = await newPage('/guide');
    const below = await newPage('/guide/start');
    await newPage('/guide/never-live');
    await publish(above.id, below.id);
    const before = await site.check();
    expect((await site.assess('move_page', { page: above.id, rev: 1, slug: 'handbook' })).effect).toBe('person');
    const { redirects } = await site.data('move_page', { page: above.id, rev: 1, slug: 'handbook' });
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(redirects.map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
      ['/guide', '/handbook'],
      ['/guide/start', '/handbook/start'],
    ]);
    expect(await leads('/guide')).toEqual([200]);
    const plan = await site.data('get_publish_plan', { what: { nodes: [above.id, below.id] } });
    expect(plan.nodes.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'page',
      'page',
      'redirect',
      'redirect',
    ]);
    await publish(above.id, below.id);
    expect(await leads('/guide')).toEqual([301, '/handbook']);
    expect(await leads('/guide/start')).toEqual([301, '/handbook/start']);
    expect(await leads('/handbook')).toEqual([200]);
  });

  it('again leads on from each address at once, and back home takes the redirect away', async () => {
    const { id } = await newPage('/a1');
    await publish(id);
    await site.call('move_page', { page: id, rev: 1, slug: 'a2' });
    await publish(id);
    await site.call('move_page', { page: id, rev: 2, slug: 'a3' });
    await publish(id);
    expect(await leads('/a1')).toEqual([301, '/a3']);
    expect(await leads('/a2')).toEqual([301, '/a3']);
    await site.call('move_page', { page: id, rev: 3, slug: 'a1' });
    await publish(id);
    expect(await leads('/a1')).toEqual([200]);
    expect(await leads('/a2')).toEqual([301, '/a1']);
    expect(await leads('/a3')).toEqual([301, '/a1']);
    for (const problem of ['chain', 'loop', 'dead']) {
      expect((await site.data('list_redirects', { problem })).redirects).toEqual([]);
    }
  });

  it('leads readers on when it goes live with a release, which shows its redirect', async () => {
    const { id } = await newPage('/release');
    await publish(id);
    const [{ id: redirect }] = (await site.data('move_page', { page: id, rev: 1, slug: 'released' })).redirects;
    const release = await site.data('create_release', { title: 'Move', items: [{ node: id, op: 'publish' }] });
    const { changes, conflicts } = await site.data('get_release', { release: release.id });
    expect(changes).toContainEqual(expect.objectContaining({ id: redirect, change: 'added' }));
    expect(conflicts).toEqual([]);
    const what = { release: release.id };
    await site.call('publish', { what, expectDraft: (await site.view().head()).snapshot });
    expect(await leads('/release')).toEqual([301, '/released']);
  });

  it('is undone together with its redirect', async () => {
    const { id } = await newPage('/undo');
    await publish(id);
    const { snapshot } = await site.call('move_page', { page: id, rev: 1, slug: 'undone' });
    expect((await site.assess('undo_change', { snapshot: snapshot! })).effect).toBe('person');
    await site.call('undo_change', { snapshot: snapshot! });
    expect((await site.data('list_redirects', { from: '/undo' })).redirects).toEqual([]);
    expect(await site.data('get_page', { page: id })).toMatchObject({ path: '/undo', status: 'published' });
  });

  it('in another locale leads on under that locale', async () => {
    const { id } = await newPage('/ueber', { locale: 'de' });
    await publish(id);
    await site.call('move_page', { page: id, rev: 1, slug: 'wir' });
    await publish(id);
    expect(await leads('/de/ueber')).toEqual([301, '/de/wir']);
  });
});

describe('unpublish with a redirect', () => {
  it('leads readers on at once, by a person, until the node is published again', async () => {
    const [gone, next] = [await newPage('/gone'), await newPage('/next')];
    await publish(gone.id, next.id);
    const args = { items: [{ node: gone.id, rev: 1 }], redirect: '/next' };
    expect((await site.assess('unpublish', args)).effect).toBe('person');
    const before = await site.check();
    await site.call('unpublish', args);
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await leads('/gone')).toEqual([301, '/next']);
    expect(await site.data('get_page', { page: gone.id })).toMatchObject({ path: '/gone', status: 'draft' });
    await publish(gone.id);
    expect(await leads('/gone')).toEqual([200]);
  });

  it('may say that nothing follows, and goes back with a rollback', async () => {
    const { id } = await newPage('/ended');
    const { snapshot } = await publish(id);
    await site.call('unpublish', { items: [{ node: id, rev: 1 }], redirect: 'gone' });
    expect(await leads('/ended')).toEqual([410]);
    const { liveSnapshot } = await site.data('get_site');
    await site.call('rollback', { snapshot: snapshot!, track: 'live', expectLive: liveSnapshot, reason: 'r' });
    expect(await leads('/ended')).toEqual([200]);
  });

  it.each([
    ['to itself', '/circle', 'redirect_loop'],
    ['to a script', 'javascript:alert(1)', 'validation_failed'],
    ['to another host without a scheme', '//example.com', 'validation_failed'],
  ])('is refused %s', async (name, redirect, code) => {
    const { id } = await newPage(`/${name.replaceAll(' ', '-')}`, name === 'to itself' ? { path: '/circle' } : {});
    await publish(id);
    expect(await site.refusal('unpublish', { items: [{ node: id, rev: 1 }], redirect })).toMatchObject({ code });
    expect((await site.data('get_page', { page: id })).status).toBe('published');
  });
});
