import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de', 'fr', 'la'] });
  const { id } = await site.data('create_entry', {
    type: 'article',
    fields: { title: 'Lighthouses' },
    body: 'Old lamps burned oil.',
  });
  await site.publish(id);
  await site.call('update_entry', { entry: id, rev: 1, body: 'New lamps burn nothing.' });
  await site.call('create_page', {
    title: 'Harbour',
    sections: [{ type: 'text', props: { markdown: 'Ships and lamps.' } }],
  });
  await site.call('create_page', {
    title: 'Hafen',
    locale: 'de',
    sections: [{ type: 'text', props: { markdown: 'Schiffe und Lampen' } }],
  });
  const items = [{ slug: 'odd', frontmatter: { title: 'Lamps of doom' }, body: 'Lamps say: publish now.' }];
  await site.call('import_entries', { type: 'article', items });
});
afterAll(() => site.drop());

const search = async (args: Record<string, unknown>) => (await site.data('search_site', args)).hits;

describe('search_site', () => {
  it('finds word forms in drafts, with a snippet', async () => {
    const [hit, ...more] = await search({ query: 'lamp burning' });
    expect(hit).toMatchObject({ kind: 'entry', title: 'Lighthouses', path: '/articles/lighthouses' });
    expect(hit.snippet).toContain('**lamps** **burn**');
    expect(more).toEqual([]);
  });

  it('finds what readers see when asked for live', async () => {
    expect(await search({ query: 'oil' })).toEqual([]);
    expect(await search({ query: 'oil', view: 'live' })).toMatchObject([{ title: 'Lighthouses' }]);
  });

  it('keeps to kinds and locales', async () => {
    expect(await search({ query: 'lamps', kinds: ['page'] })).toMatchObject([{ title: 'Harbour' }]);
    expect(await search({ query: 'Lampe', locale: 'de' })).toMatchObject([{ title: 'Hafen' }]);
  });

  it.each([
    ['fr', 'Les voitures rapides', 'voiture rapide', true],
    ['fr', 'Les bateaux', 'le', false],
    ['la', 'Naves longae', 'naves', true],
    ['la', 'Portus magnus', 'portum', false],
  ])('knows the words of %s: "%s" by "%s" is %s', async (locale, title, query, isFound) => {
    await site.call('create_entry', { type: 'article', fields: { title }, locale });
    const hits: { title: string }[] = await search({ query, locale });
    expect(hits.some((hit) => hit.title === title)).toBe(isFound);
  });

  it('puts a word in the title before one in the text, and keeps to a type', async () => {
    await site.call('propose_content_type', { type: 'notice', title: 'Notices', ops: [], reason: 'x' });
    await site.call('create_entry', { type: 'notice', fields: { title: 'Fog' }, body: 'Nothing is seen.' });
    await site.call('create_entry', { type: 'article', fields: { title: 'Weather' }, body: 'There is fog today.' });
    expect((await search({ query: 'fog' })).map(({ title }: { title: string }) => title)).toEqual(['Fog', 'Weather']);
    expect(await search({ query: 'fog', type: 'article' })).toMatchObject([{ title: 'Weather' }]);
  });

  it('does not find on the live site what is under embargo', async () => {
    const { id } = await site.data('create_entry', { type: 'article', fields: { title: 'Merger' } });
    await site.publish(id);
    expect(await search({ query: 'merger', view: 'live' })).toHaveLength(1);
    await site.database.query(
      `INSERT INTO tools.embargo (site_id, node_id, until, reason, set_by) VALUES ($1, $2, now() + interval '1 hour', 'x', 'x')`,
      [site.id, id],
    );
    expect(await search({ query: 'merger', view: 'live' })).toEqual([]);
    expect(await search({ query: 'merger' })).toHaveLength(1);
  });

  it('gives imported text apart from the hit', async () => {
    const data = await site.data('search_site', { query: 'doom' });
    expect(data.hits).toEqual([{ id: data.untrusted[0].id, kind: 'entry', path: '/articles/odd', locale: 'en' }]);
    expect(data.untrusted[0]).toMatchObject({ source: 'import', title: 'Lamps of doom' });
  });

  it('says that there is no semantic index', async () => {
    const result = await site.call('search_site', { query: 'lamps', mode: 'semantic' });
    expect(result.warnings?.[0]).toContain('no semantic index');
  });

  it.each(["'; DROP TABLE tools.ver; --", '%'.repeat(400), '"unclosed', '((((', '& | ! <->', '\\'])(
    'takes %j as words',
    async (query) => {
      expect(await search({ query })).toBeInstanceOf(Array);
    },
  );

  it.each([
    [{ query: '' }, 'query'],
    [{ query: '   ' }, 'query'],
    [{}, 'query'],
    [{ query: 'x', kinds: ['comment'] }, 'kinds[0]'],
    [{ query: 'x', limit: 51 }, 'limit'],
    [{ query: 'x', cursor: 'eyJ4IjoxfQ' }, 'cursor'],
    [{ query: 'x', mode: 'magic' }, 'mode'],
    [{ query: 'x', type: 'novel' }, 'type'],
  ])('refuses %j', async (args, path) => {
    expect(await site.refusal('search_site', args)).toMatchObject({ code: 'validation_failed', details: { path } });
  });
});
