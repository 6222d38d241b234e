import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../tools/testing/tool-site.ts';
import { servePage } from './site-page.ts';

let site: ToolSite;
const ids: string[] = [];
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
  const term = async (label: string, more: object = {}) => {
    const set = { label, ...more };
    const made = await site.data('propose_term', { op: 'create', taxonomy: 'topics', set, reason: 'r' });
    ids.push(made.id);
  };
  await term('Sea', { description: 'Salt water.' });
  await term('Tides', { parent: 'sea' });
  await term('Secret', { parent: 'sea' });
  const de = { locale: 'de', label: 'Meer' };
  await site.call('propose_term', { op: 'translate', taxonomy: 'topics', term: 'sea', set: de, reason: 'r' });
  for (let index = 0; index < 22; index++) {
    const fields = { title: `Entry ${index}.`, publishedOn: `2026-01-${String(index + 1).padStart(2, '0')}` };
    const made = await site.data('create_entry', { type: 'article', fields, terms: { topics: ['sea', 'secret'] } });
    ids.push(made.id);
  }
  const german = { type: 'article', fields: { title: 'Ebbe' }, locale: 'de', terms: { topics: ['sea'] } };
  ids.push((await site.data('create_entry', german)).id);
  await site.call('create_entry', { type: 'article', fields: { title: 'A draft' }, terms: { topics: ['sea'] } });
  const [, , secret] = ids;
  await site.publish(...ids.filter((id) => id !== secret));
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const served = (path: string) => servePage(site.database, { site: 'example', path, basePath: '' });
const titles = (html: string) => [...html.matchAll(/Entry \d+\./g)].map(String);

describe('the page of a term', () => {
  it('lists the live entries that carry it, newest first, in pages', async () => {
    const [first, second] = [await served('/topics/sea'), await served('/topics/sea/page/2')];
    expect(titles(first.html)[0]).toBe('Entry 21.');
    expect(new Set([...titles(first.html), ...titles(second.html)]).size).toBe(22);
    expect(first.html).toMatch(/Salt water\.[\s\S]*href="\/topics\/tides"[\s\S]*href="\/topics\/sea\/page\/2"/);
    expect(first.html).not.toMatch(/A draft|Secret|Ebbe/);
    expect((await served('/topics/sea/page/3')).status).toBe(404);
  });

  it('has its own words in another locale, where something is sorted under it', async () => {
    const { status, html } = await served('/de/topics/sea');
    expect([status, html.includes('Meer'), html.includes('Ebbe')]).toEqual([200, true, true]);
    expect((await served('/de/topics/tides')).status).not.toBe(200);
  });

  it('is not there before it is published', async () => {
    expect((await served('/topics/secret')).status).toBe(404);
    expect((await served('/topics/none')).status).toBe(404);
  });

  it('can be looked at before, by a private link', async () => {
    expect(await site.data('preview_page', { node: '/topics/secret' })).toHaveProperty('url');
  });
});

describe('a taxonomy', () => {
  it('shows its terms at its own address', async () => {
    const { status, html } = await served('/topics');
    expect([status, html.includes('href="/topics/sea"')]).toEqual([200, true]);
    expect(html).not.toMatch(/Tides|Secret/);
  });
});

describe('an entry', () => {
  it('shows the terms that readers know, with their pages', async () => {
    const { html } = await served('/articles/entry-1');
    expect(html).toMatch(/<a href="\/topics\/sea">Sea<\/a>/);
    expect(html).not.toContain('ecret');
    expect((await served('/de/articles/ebbe')).html).toContain('<a href="/de/topics/sea">Meer</a>');
  });
});
