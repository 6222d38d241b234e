import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../tools/testing/tool-site.ts';
import { serveFeed } from './feeds.ts';

let site: ToolSite;
const basePath = '/sites/example';
const origin = 'https://news.example';
const root = origin + basePath;
const get = (path: string) => serveFeed(site.database, { site: 'example', path, basePath, origin });
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]);
const locations = async (path = '/sitemap.xml') => all((await get(path)).html, /<loc>(.*?)<\/loc>/g);

const publish = async (...nodes: string[]) =>
  site.call('publish', { what: { nodes }, expectDraft: (await site.data('get_site')).snapshot });
const article = async (title: string, publishedOn: string, more = {}) =>
  (
    await site.data('create_entry', {
      type: 'article',
      fields: { title, publishedOn, summary: `About ${title}`, ...more },
    })
  ).id as string;

let first: string;
let german: string;

beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
  first = await article('First & <foremost> ]]> \u202E', '2026-03-01');
  const second = await article('Second', '2026-03-02');
  await article('A draft', '2026-03-03');
  german = (
    await site.data('save_translation', {
      node: first,
      locale: 'de',
      rev: 0,
      sourceRev: 1,
      slug: 'erstens',
      fields: { title: 'Erstens' },
    })
  ).id;
  const about = await site.data('create_page', { path: '/about', title: 'About' });
  const hidden = await site.data('create_page', { path: '/hidden', title: 'Hidden', seo: { noindex: true } });
  await publish(first, second, german, about.id, hidden.id);
});
afterAll(() => site.drop());

describe('a feed', () => {
  it.each([
    ['/feed.xml', 'application/rss+xml; charset=utf-8', /<item>/g],
    ['/atom.xml', 'application/atom+xml; charset=utf-8', /<entry>/g],
  ])('%s has what is live, newest first, and no draft', async (path, contentType, item) => {
    const feed = await get(path);
    expect(feed).toMatchObject({ status: 200, contentType, etag: expect.stringMatching(/^".+"$/) });
    expect(feed.html.match(item)).toHaveLength(2);
    expect(feed.html.indexOf('Second')).toBeLessThan(feed.html.indexOf('foremost'));
    expect(feed.html).not.toContain('A draft');
    expect(feed.html).not.toContain('Erstens');
    expect(feed.html).not.toContain('\u202E');
    expect(feed.html).toContain(`${root}/articles/second`);
    expect(await get(path)).toEqual(feed);
  });

  it.each([
    ['/feed.xml', /<description><!\[CDATA\[About First &amp; &lt;foremost&gt; /],
    ['/atom.xml', /<title type="html"><!\[CDATA\[First &amp; &lt;foremost&gt; /],
    ['/atom.xml', /<summary type="html"><!\[CDATA\[About First &amp; &lt;foremost&gt; /],
  ])('%s gives words as words where readers take them for markup: %s', async (path, words) => {
    expect((await get(path)).html).toMatch(words);
  });

  it('is one for each language', async () => {
    const { html } = await get('/de/feed.xml');
    expect(html).toContain('Erstens');
    expect(html).toContain(`${root}/de/articles/erstens`);
    expect(html).not.toContain('Second');
    expect((await get('/fr/feed.xml')).status).toBe(404);
  });
});

describe('the site map', () => {
  it('has every page that may be found, with its other languages, and no other', async () => {
    const { html, contentType } = await get('/sitemap.xml');
    expect(contentType).toBe('application/xml; charset=utf-8');
    const found = await locations();
    expect(found).toHaveLength(4);
    expect(found).toEqual(expect.arrayContaining([`${root}/about`, `${root}/de/articles/erstens`]));
    expect(html).not.toMatch(/hidden|a-draft/);
    const entry = /<url><loc>[^<]*\/de\/articles\/erstens<\/loc>.*?<\/url>/.exec(html)![0];
    expect(all(entry, /hreflang="(.*?)"/g)).toEqual(['en', 'de']);
    expect((await get('/sitemap-2.xml')).status).toBe(404);
  });

  it('forgets what is unpublished', async () => {
    await site.call('unpublish', { items: [{ node: german, rev: 1 }] });
    expect(await locations()).not.toContain(`${root}/de/articles/erstens`);
    expect((await get('/sitemap.xml')).html).not.toContain('hreflang="de"');
    expect((await get('/de/feed.xml')).html).not.toContain('Erstens');
  });

  it('is named by robots.txt, until the site keeps search engines away', async () => {
    expect((await get('/robots.txt')).html).toContain(`Sitemap: ${root}/sitemap.xml`);
    const { rev } = await site.data('get_site');
    await site.call('update_site', { rev, set: { seo: { noindex: true } } });
    await publish(site.id);
    expect((await get('/robots.txt')).html).toBe('User-agent: *\nDisallow: /\n');
    for (const path of ['/sitemap.xml', '/feed.xml']) expect((await get(path)).status).toBe(404);
  });
});
