import { sitePage, sitePreview } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../testing/mcp.ts';
import { type Replica, startWorld, type World } from '../testing/world.ts';

let world: World;
let replica: Replica;
const asked: { site: string; path: string; basePath: string }[] = [];

beforeAll(async () => {
  world = await startWorld();
  replica = await world.replica();
  await replica.bus.answer(sitePage, async (query) => {
    asked.push(query);
    if (query.site === 'gone') throw fail('not_found', { what: 'site', id: query.site });
    const contentType = 'text/html; charset=utf-8';
    if (query.path === '/old') return { status: 301, html: '', contentType, location: `${query.basePath}/new` };
    if (query.path === '/missing') return { status: 404, html: '<h1>Not here</h1>', contentType };
    return { status: 200, html: '<h1>Hello</h1>', contentType, etag: '"live-7"', policy: "style-src 'sha256-abc='" };
  });
  await replica.bus.answer(sitePreview, async ({ token }) => {
    if (token !== 'v1.k.good.mac') throw fail('not_found', { what: 'preview', id: '…' });
    return { status: 200, html: '<h1>Draft</h1>', contentType: 'text/html; charset=utf-8', etag: '"draft"' };
  });
});
afterAll(() => world.stop());

describe('a published page', () => {
  it('is served with an etag and a policy under which it runs nothing', async () => {
    const page = await replica.send('/sites/seals/articles/a%20seal');
    expect([page.status, page.text]).toEqual([200, '<h1>Hello</h1>']);
    expect(page.headers).toMatchObject({ etag: '"live-7"', 'cache-control': 'public, max-age=0, must-revalidate' });
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'; sandbox/);
    expect(page.headers['content-security-policy']).not.toMatch(/script-src|allow-scripts|allow-same-origin/);
    expect(page.headers['content-security-policy']).toContain(", style-src 'sha256-abc='");
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(asked.at(-1)).toEqual({ site: 'seals', path: '/articles/a seal', basePath: '/sites/seals' });
  });

  it.each(['"live-7"', 'W/"live-7"', '"old", "live-7"', '*'])('is 304 to who has %s', async (etag) => {
    const page = await replica.send('/sites/seals/', { headers: { 'if-none-match': etag } });
    expect([page.status, page.text]).toEqual([304, '']);
    expect(page.headers.etag).toBe('"live-7"');
  });

  it('is sent whole to who has an older one', async () => {
    const page = await replica.send('/sites/seals/', { headers: { 'if-none-match': '"live-6"' } });
    expect([page.status, page.text]).toEqual([200, '<h1>Hello</h1>']);
  });

  it('redirects, and is not cached where it is not there', async () => {
    const moved = await replica.send('/sites/seals/old');
    expect([moved.status, moved.headers.location]).toEqual([301, '/sites/seals/new']);
    const missing = await replica.send('/sites/seals/missing');
    expect([missing.status, missing.headers['cache-control']]).toEqual([404, 'no-store']);
    const root = await replica.send('/sites/seals');
    expect([root.status, root.headers.location]).toEqual([308, '/sites/seals/']);
  });

  it.each([
    '/sites/gone/',
    '/sites/Seals/',
    '/sites/sеals/',
    '/sites/-x/',
    '/sites/a..b/',
    '/sites/x/..%2Fy',
    '/sites/x/a%5Cb',
    '/sites/x/a%2500',
  ])('is a page that says so at %s', async (path) => {
    const page = await replica.send(encodeURI(decodeURI(path)).replaceAll('%25', '%'));
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('is 503 while no worker answers', async () => {
    const alone = await world.replica();
    const page = await alone.send('/sites/seals/');
    expect([page.status, page.headers['cache-control']]).toEqual([503, 'no-store']);
    expect((await alone.send('/sites/seals/', { method: 'POST' })).status).toBe(404);
  });
});

describe('a preview', () => {
  it('is kept from caches, search engines, referrers and scripts', async () => {
    const page = await replica.send('/preview/v1.k.good.mac');
    expect([page.status, page.text]).toEqual([200, '<h1>Draft</h1>']);
    expect(page.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': expect.stringContaining('noindex'),
      'x-content-type-options': 'nosniff',
    });
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
    expect(page.headers['content-security-policy']).not.toMatch(/script-src|allow-scripts|allow-same-origin/);
    expect(page.headers.etag).toBeUndefined();
  });

  it('leaves no token in the log', async () => {
    await replica.send('/preview/v1.k.good.mac');
    await replica.send('/preview/v1.k.secretsecret.mac');
    expect(world.logged()).toContain('/preview/…');
    expect(world.logged()).not.toMatch(/good\.mac|secretsecret/);
  });

  it('is nowhere for a token that is not valid, and its token opens nothing else', async () => {
    expect((await replica.send('/preview/nonsense')).status).toBe(404);
    const api = await replica.send('/api/session', { headers: { authorization: 'Bearer v1.k.good.mac' } });
    expect(codeOf(api)).toBe('sign_in_required');
  });
});
