import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all, one } from '../render/testing/pages.ts';
import { openToolSite, type ToolSite } from '../tools/testing/tool-site.ts';
import { servePage } from './site-page.ts';

let site: ToolSite;
let article: string;
let german: string;

const basePath = '/sites/example';
const origin = 'https://news.example';
const get = (path: string) => servePage(site.database, { site: 'example', path, basePath, origin });
const attributes = (html: string, tag: string) => all(html, tag).map((element) => element.attributes);
const heading = (html: string) => one(html, 'h1').text.trim();
const alternates = (html: string) =>
  attributes(html, 'link')
    .filter(({ hreflang }) => hreflang)
    .map(({ hreflang, href }) => `${hreflang} ${href}`);

async function translate(node: string, locale: string, more: Record<string, unknown>): Promise<string> {
  return (await site.data('save_translation', { node, locale, rev: 0, sourceRev: 1, ...more })).id;
}

const publish = async (...nodes: string[]) =>
  site.call('publish', { what: { nodes }, expectDraft: (await site.data('get_site')).snapshot });

beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de', 'ar', 'pt', 'pt-BR'] });
  const about = await site.data('create_page', { path: '/about', title: 'About us' });
  const home = await site.data('create_page', { path: '/home', title: 'Welcome' });
  const team = await site.data('create_page', { path: '/about/team', title: 'The team' });
  const body = 'See [about](/about), [a file](/media/a.pdf) and ![a picture](/media/a.png).';
  article = (await site.data('create_entry', { type: 'article', fields: { title: 'Harbour' }, slug: 'harbour', body }))
    .id;
  await site.call('update_site', { rev: 1, set: { homePage: home.id } });
  const fields = { title: 'Hafen' };
  german = await translate(article, 'de', { slug: 'hafen', fields, body: body.replace('See', 'Siehe') });
  const arabic = await translate(article, 'ar', { fields: { title: 'الميناء' } });
  const willkommen = await translate(home.id, 'de', { fields: { title: 'Willkommen' } });
  const ueber = await translate(about.id, 'de', { fields: { title: 'Über uns' }, slug: 'ueber-uns' });
  // The Portuguese one stays a draft.
  await translate(article, 'pt', { fields: { title: 'O porto' } });
  await publish(about.id, home.id, team.id, article, german, arabic, willkommen, ueber, site.id);
});
afterAll(() => site.drop());

describe('a page in several languages', () => {
  it('is at its own address in each, and names the others that readers have', async () => {
    const { status, html } = await get('/de/articles/hafen');
    expect(status).toBe(200);
    expect(one(html, 'html').attributes).toMatchObject({ lang: 'de', dir: 'ltr' });
    expect(heading(html)).toBe('Hafen');
    const everywhere = [
      'en https://news.example/sites/example/articles/harbour',
      'de https://news.example/sites/example/de/articles/hafen',
      'ar https://news.example/sites/example/ar/articles/harbour',
      'x-default https://news.example/sites/example/articles/harbour',
    ];
    expect(alternates(html)).toEqual(everywhere);
    expect(alternates((await get('/articles/harbour')).html)).toEqual(everywhere);
    const canonical = attributes(html, 'link').find(({ rel }) => rel === 'canonical');
    expect(canonical?.href).toBe('https://news.example/sites/example/de/articles/hafen');
    const switched = attributes(html, 'a').filter(({ hreflang }) => hreflang);
    expect(switched.map(({ href, lang }) => [lang, href])).toEqual([
      ['en', '/sites/example/articles/harbour'],
      ['de', '/sites/example/de/articles/hafen'],
      ['ar', '/sites/example/ar/articles/harbour'],
    ]);
  });

  it('reads from right to left where the language does', async () => {
    expect(one((await get('/ar/articles/harbour')).html, 'html').attributes).toMatchObject({ lang: 'ar', dir: 'rtl' });
  });

  it('leads on within its language; files are the same in all', async () => {
    const { html } = await get('/de/articles/hafen');
    const links = attributes(html, 'a').map(({ href }) => href);
    expect(links).toContain('/sites/example/de/about');
    expect(links).toContain('/sites/example/de/ueber-uns');
    expect(links).toContain('/sites/example/media/a.pdf');
    expect(one(html, 'img').attributes.src).toBe('/sites/example/media/a.png');
  });

  it('has a home page and lists of its own', async () => {
    expect(heading((await get('/de')).html)).toBe('Willkommen');
    expect(heading((await get('/')).html)).toBe('Welcome');
    const { html } = await get('/de/articles');
    expect(html).toContain('Hafen');
    expect(html).not.toContain('Harbour');
    expect((await get('/articles')).html).not.toContain('Hafen');
  });

  it('shows the way down to it', async () => {
    const { html } = await get('/about/team');
    expect(html).toMatch(/breadcrumbs.*Home.*About us/s);
  });
});

describe('where a language has nothing', () => {
  it.each([
    ['a translation under another slug', '/de/about', '/de/ueber-uns'],
    ['no translation', '/de/about/team', '/about/team'],
    ['only a draft', '/pt/articles/harbour', '/articles/harbour'],
    ['only the draft of a shorter form', '/pt-BR/articles/harbour', '/articles/harbour'],
    ['no home page', '/pt', '/'],
  ])('%s: the reader is led to the nearest that is live', async (_, path, to) => {
    expect(await get(path)).toMatchObject({ status: 302, location: basePath + to });
  });

  it.each([
    '/de/nothing',
    '/pt/articles',
    '/fr/articles/harbour',
    '/articles/hafen',
    '/ueber-uns',
    '/en/articles/harbour',
  ])('%s is not there, or leads to what is', async (path) => {
    const { status, html } = await get(path);
    expect([302, 404]).toContain(status);
    expect(html).not.toContain('O porto');
  });

  it('an unpublished translation is gone from its address, the switch and the alternates', async () => {
    await site.call('unpublish', { items: [{ node: german, rev: 1 }] });
    expect(await get('/de/articles/harbour')).toMatchObject({ status: 302, location: `${basePath}/articles/harbour` });
    expect((await get('/de/articles/hafen')).status).toBe(404);
    expect((await get('/articles/harbour')).html).not.toContain('hafen');
  });
});
