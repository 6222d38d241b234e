import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const newPage = (args: Record<string, unknown>) => site.data('create_page', args);

describe('list_pages', () => {
  it('lists by path, whole, by level, and under a parent', async () => {
    for (const path of ['/tree', '/tree/a', '/tree/a/deep', '/tree/b', '/tree-house'])
      await newPage({ title: path, path });
    const paths = async (args: Record<string, unknown>) =>
      (await site.data('list_pages', { limit: 100, ...args })).pages.map((page: { path: string }) => page.path);
    expect(await paths({ parent: '/tree' })).toEqual(['/tree/a', '/tree/a/deep', '/tree/b']);
    expect(await paths({ parent: '/tree', depth: 1 })).toEqual(['/tree/a', '/tree/b']);
    expect(await paths({ depth: 1 })).toEqual((await paths({})).filter((path: string) => path.lastIndexOf('/') === 0));
  });

  it('pages through with its cursor, each page once', async () => {
    const all = (await site.data('list_pages', { limit: 100, depth: 2 })).pages.map((page: { id: string }) => page.id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const result = await site.call('list_pages', { limit: 2, depth: 2, ...(cursor && { cursor }) });
      seen.push(...(result.data as { pages: { id: string }[] }).pages.map((page) => page.id));
      cursor = result.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(all);
  });

  it('gives sections only when asked', async () => {
    const [summary] = (await site.data('list_pages', { limit: 1 })).pages;
    const [whole] = (await site.data('list_pages', { limit: 1, fields: ['sections'] })).pages;
    expect(summary).not.toHaveProperty('sections');
    expect(whole.sections).toBeInstanceOf(Array);
  });

  it.each([
    [{ status: 'gone' }, 'status'],
    [{ limit: 101 }, 'limit'],
    [{ depth: 0 }, 'depth'],
    [{ fields: ['body'] }, 'fields[0]'],
    [{ cursor: 'bm90aGluZw' }, 'cursor'],
    [{ updatedSince: 'yesterday' }, 'updatedSince'],
  ])('refuses %j', async (args, path) => {
    expect(await site.refusal('list_pages', args)).toMatchObject({ code: 'validation_failed', details: { path } });
  });

  it('says that there is no such parent', async () => {
    expect(await site.refusal('list_pages', { parent: '/nowhere' })).toMatchObject({ code: 'not_found' });
  });
});

describe('get_page', () => {
  it('cuts what is over maxTokens and gives the rest by section', async () => {
    const markdown = 'word '.repeat(100);
    const sections = [1, 2, 3].map(() => ({ type: 'text', props: { markdown } }));
    const { id } = await newPage({ title: 'Long', sections });
    const cut = await site.call('get_page', { page: id, maxTokens: 200 });
    const shown = (cut.data as { sections: { id: string; props?: object }[] }).sections;
    expect(cut.truncated).toBe(true);
    expect(shown.map((section) => section.props !== undefined)).toEqual([true, false, false]);
    const rest = await site.data('get_page', { page: id, sections: [shown[2]!.id], fields: ['sections'] });
    expect(rest.sections).toEqual([{ id: shown[2]!.id, type: 'text', props: { markdown } }]);
  });

  it('shows the live page apart from its draft', async () => {
    const { id } = await newPage({ title: 'Both' });
    await site.publish(id);
    await site.call('update_page', { page: id, rev: 1, set: { title: 'Newer' } });
    expect(await site.data('get_page', { page: id })).toMatchObject({
      title: 'Newer',
      status: 'changed',
      live: { rev: 1 },
    });
    expect(await site.data('get_page', { page: id, view: 'live' })).toMatchObject({ title: 'Both', rev: 1 });
  });

  it('shows the home page of the state that was asked for', async () => {
    const [first, second] = [await newPage({ title: 'First home' }), await newPage({ title: 'Second home' })];
    const before = (await site.view().head()).snapshot;
    const setHome = async (homePage: string) =>
      site.data('update_site', { rev: (await site.data('get_site')).rev, set: { homePage } });
    await setHome(first.id);
    await site.publish(first.id, second.id, site.id);
    await setHome(second.id);
    expect(await site.data('get_page', { page: '/' })).toMatchObject({ id: second.id });
    expect(await site.data('get_page', { page: '/', view: 'live' })).toMatchObject({ id: first.id });
    await site.call('rollback', { snapshot: before, track: 'draft', reason: 'A test.' });
    expect(await site.data('resolve_path', { path: '/' })).toMatchObject({ id: first.id });
    expect(await site.data('preview_page', { node: '/', view: 'live' })).toMatchObject({ node: first.id });
  });

  it('shows a page as it was at a snapshot', async () => {
    const { snapshot, data } = await site.call('create_page', { title: 'Was' });
    const { id } = data as { id: string };
    await site.call('update_page', { page: id, rev: 1, set: { title: 'Is' } });
    expect(await site.data('get_page', { page: id, view: 'snapshot', snapshot })).toMatchObject({
      title: 'Was',
      rev: 1,
    });
  });

  it.each([
    [{ page: '/nowhere' }, 'not_found', undefined],
    [{ page: 'pg_none' }, 'not_found', undefined],
    [{ page: '/' }, 'not_found', undefined],
    [{ page: '/long', view: 'snapshot' }, 'validation_failed', 'snapshot'],
    [{ page: '/long', snapshot: 'sn_1' }, 'validation_failed', 'snapshot'],
    [{ page: '/long', view: 'snapshot', snapshot: 'sn_none' }, 'not_found', undefined],
    [{ page: '/long', sections: ['se_none'] }, 'not_found', undefined],
    [{}, 'validation_failed', 'page'],
  ])('refuses %j', async (args, code, path) => {
    expect(await site.refusal('get_page', args)).toMatchObject({ code, ...(path && { details: { path } }) });
  });
});
