import { siteComment, siteFeed, sitePage, sitePreview } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../testing/mcp.ts';
import { type Replica, startWorld, type World } from '../testing/world.ts';
import { createFormTokens } from './form-tokens.ts';

let world: World;
let replica: Replica;
const asked: { site: string; path: string; basePath: string; form?: string }[] = [];
const written: { path: string; author: string; text: string; problem?: string }[] = [];

beforeAll(async () => {
  world = await startWorld();
  replica = await world.replica({ limits: { comment: { perMinute: 600, burst: 100 } } });
  await replica.bus.answer(sitePage, async (query) => {
    asked.push(query);
    if (query.site === 'gone') throw fail('not_found', { what: 'site', id: query.site });
    const contentType = 'text/html; charset=utf-8';
    if (query.path === '/old') return { status: 301, html: '', contentType, location: `${query.basePath}/new` };
    if (query.path === '/missing') return { status: 404, html: '<h1>Not here</h1>', contentType };
    return { status: 200, html: '<h1>Hello</h1>', contentType, etag: '"live-7"', policy: "style-src 'sha256-abc='" };
  });
  await replica.bus.answer(siteComment, async (comment) => {
    written.push(comment);
    const contentType = 'text/html; charset=utf-8';
    if (comment.problem) return { status: 422, html: `<p>${comment.problem}</p>`, contentType };
    return { status: 303, html: '', contentType, location: `${comment.basePath}${comment.path}/comments/sent` };
  });
  await replica.bus.answer(siteFeed, async ({ path, basePath }) => {
    const contentType = 'application/rss+xml; charset=utf-8';
    return { status: 200, html: `<rss>${basePath} ${path}</rss>`, contentType, etag: '"feed-1"' };
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
    expect((await alone.send('/sites/seals/ж/', { headers: { accept: 'text/html' } })).status).toBe(503);
  });
});

describe('what programs ask a site for', () => {
  it.each(['/feed.xml', '/de/atom.xml', '/pt-BR/feed.xml', '/sitemap.xml', '/sitemap-12.xml', '/robots.txt'])(
    '%s is served as a feed, and not again to who has it',
    async (path) => {
      const feed = await replica.send(`/sites/seals${path}`);
      expect([feed.status, feed.text]).toEqual([200, `<rss>/sites/seals ${path}</rss>`]);
      expect(feed.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
      const again = await replica.send(`/sites/seals${path}`, { headers: { 'if-none-match': '"feed-1"' } });
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );

  it.each(['/a/b/feed.xml', '/feed.xml/x', '/de/robots.txt'])('%s is a page like any other', async (path) => {
    expect((await replica.send(`/sites/seals${path}`)).text).toBe('<h1>Hello</h1>');
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

describe('the form for a comment', () => {
  const path = '/sites/seals/articles/a/comments';
  const fields = (more: object) => new URLSearchParams({ author: 'Mo', text: 'Hello & welcome', website: '', ...more });
  const post = (form: string, more: object = {}, headers: Record<string, string> = {}) =>
    replica.send(path, {
      method: 'POST',
      // As a browser sends it from a page that has an origin of its own.
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', ...headers },
      body: fields({ form, ...more }).toString(),
    });
  /** A token as one was handed out a while ago. */
  const tokenOf = (ageMs: number, address = path) =>
    createFormTokens(world.sessionSecret, () => Date.now() - ageMs).make(address);

  it('carries a token, is kept in no cache, and is sent without script', async () => {
    const page = await replica.send(path);
    expect(page.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    expect(asked.at(-1)!.form).toMatch(/^[0-9a-z]+\.[\w-]{43}$/);
    const sent = await post(tokenOf(10_000));
    expect([sent.status, sent.headers.location]).toEqual([303, '/sites/seals/articles/a/comments/sent']);
    expect(sent.headers['set-cookie']).toBeUndefined();
    expect(written.at(-1)).toMatchObject({ path: '/articles/a', author: 'Mo', text: 'Hello & welcome' });
    expect(written.at(-1)).not.toHaveProperty('problem');
  });

  it.each([
    ['too fast', () => tokenOf(100), 'quick'],
    ['a day later', () => tokenOf(25 * 3_600_000), 'expired'],
    ['with the token of another address', () => tokenOf(10_000, '/sites/other/articles/a/comments'), 'expired'],
    ['with a token that was made up', () => `${Date.now().toString(36)}.${'x'.repeat(43)}`, 'expired'],
    ['without one', () => '', 'expired'],
  ])('sent %s is shown again', async (_, token, problem) => {
    const again = await post(token());
    expect([again.status, again.text, again.headers['cache-control']]).toEqual([422, `<p>${problem}</p>`, 'no-store']);
  });

  it('filled in by a program is thanked for and kept nowhere', async () => {
    const before = written.length;
    const sent = await post(tokenOf(10_000), { website: 'http://spam.example' });
    expect([sent.status, sent.headers.location]).toEqual([303, '/sites/seals/articles/a/comments/sent']);
    expect(written).toHaveLength(before);
  });

  it('is taken from pages of ours and from programs, and from no page of another site', async () => {
    expect((await post(tokenOf(10_000), {}, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(tokenOf(10_000), {}, { 'content-type': 'application/json' })).status).toBe(415);
    expect((await post(tokenOf(10_000), { text: 'x'.repeat(70_000) })).status).toBe(413);
    // Nothing else takes that origin.
    for (const elsewhere of ['/api/auth/sign-in', '/mcp', '/sites/seals/articles/a', '/preview/x/comments']) {
      const refused = await replica.send(elsewhere, { method: 'POST', headers: { origin: 'null' } });
      expect(refused.status, elsewhere).toBe(403);
    }
  });
});

describe('one address', () => {
  /** Asks until it is refused; at most twice the burst, should the shared count be away for a moment. */
  async function untilRefused(burst: number, ask: () => ReturnType<Replica['send']>) {
    let answer = await ask();
    for (let more = 2 * burst; answer.status !== 429 && more > 0; more--) answer = await ask();
    return answer;
  }

  it('sends only so many comments and loads only so many pages', async () => {
    const limits = { comment: { perMinute: 1, burst: 2 }, page: { perMinute: 1, burst: 8 } };
    const limited = await world.replica({ limits, trustProxy: true });
    await limited.bus.answer(sitePage, async () => ({ status: 200, html: '', contentType: 'text/html' }));
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const comment = await untilRefused(2, () =>
      limited.send('/sites/seals/a/comments', {
        method: 'POST',
        headers: { ...from('203.0.113.9'), 'content-type': 'application/x-www-form-urlencoded' },
        body: 'website=x',
      }),
    );
    expect(comment.status).toBe(429);
    const load = (address: string) => limited.send('/sites/seals/', { headers: from(address) });
    expect((await load('203.0.113.10')).status).toBe(200);
    const page = await untilRefused(8, () => load('203.0.113.10'));
    expect([page.status, page.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    const preview = await untilRefused(8, () => limited.send('/preview/x', { headers: from('203.0.113.10') }));
    expect(preview.status).toBe(429);
    const file = `/media/as_x/${'0'.repeat(64)}.png`;
    for (const path of [`/sites/seals${file}`, `/preview/x${file}`, '/uploads/x']) {
      const method = path.startsWith('/uploads') ? 'PUT' : 'GET';
      const answer = await untilRefused(8, () => limited.send(path, { method, headers: from('203.0.113.10') }));
      expect([path, answer.status]).toEqual([path, 429]);
    }
    expect((await load('203.0.113.11')).status).toBe(200);
  });
});
