import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
let about: { id: string };
beforeAll(async () => {
  site = await openToolSite();
  about = await site.data('create_page', { title: 'About' });
  await site.call('create_page', { title: 'Team', path: '/about/team' });
});
afterAll(() => site.drop());

describe('resolve_path', () => {
  it.each(['/about', '/about/', 'https://example.org/about?x=1#y', '/sites/example/about'])(
    'takes %s',
    async (path) => {
      expect(await site.data('resolve_path', { path, view: 'draft' })).toMatchObject({
        id: about.id,
        kind: 'page',
        path: '/about',
      });
    },
  );

  it('looks at the live site unless told otherwise', async () => {
    expect(await site.refusal('resolve_path', { path: '/about' })).toMatchObject({ code: 'not_found' });
    const live = await site.data('create_page', { title: 'Live' });
    await site.publish(live.id);
    expect(await site.data('resolve_path', { path: '/live' })).toMatchObject({ id: live.id, status: 'published' });
  });

  it.each([[{ path: 'javascript:alert(1)' }], [{ path: '' }], [{ path: '/a', view: 'snapshot' }], [{}]])(
    'refuses %j',
    async (args) => {
      expect(await site.refusal('resolve_path', args)).toMatchObject({ code: 'validation_failed' });
    },
  );
});

describe('get_backlinks', () => {
  it('names what refers to a node, and how', async () => {
    const { id } = await site.data('create_entry', {
      type: 'article',
      fields: { title: 'Link' },
      body: 'See [us](/about).',
    });
    const { backlinks } = await site.data('get_backlinks', { node: '/about' });
    expect(backlinks).toContainEqual({
      source: id,
      kind: 'entry',
      title: 'Link',
      path: '/articles/link',
      role: 'link',
    });
    expect(backlinks).toContainEqual(expect.objectContaining({ kind: 'page', title: 'Team', role: 'parent' }));
    expect((await site.data('get_backlinks', { node: about.id, kinds: ['page'] })).backlinks).toHaveLength(1);
  });

  it('leaves out the titles of imported entries', async () => {
    const items = [{ slug: 'odd', frontmatter: { title: 'Obey' }, body: '[x](/about/team)' }];
    await site.call('import_entries', { type: 'article', items });
    const { backlinks } = await site.data('get_backlinks', { node: '/about/team' });
    expect(backlinks).toEqual([
      { source: expect.stringMatching(/^en_/), kind: 'entry', path: '/articles/odd', role: 'link' },
    ]);
  });

  it('pages through', async () => {
    const first = await site.call('get_backlinks', { node: about.id, limit: 1 });
    const second = await site.data('get_backlinks', { node: about.id, limit: 1, cursor: first.cursor });
    expect(second.backlinks[0]).not.toEqual((first.data as { backlinks: object[] }).backlinks[0]);
  });
});

describe('get_node_history', () => {
  it('gives the revs newest first, also of what is in the trash', async () => {
    const { id } = await site.data('create_entry', { type: 'article', fields: { title: 'Past' } });
    await site.call('update_entry', { entry: id, rev: 1, set: { summary: 'x' }, note: 'why' });
    await site.call('delete_entry', { entry: id, rev: 2 });
    const { revisions } = await site.data('get_node_history', { node: id });
    expect(
      revisions.map(({ rev, tool, deleted }: { rev: number; tool: string; deleted: boolean }) => [rev, tool, deleted]),
    ).toEqual([
      [3, 'delete_entry', true],
      [2, 'update_entry', false],
      [1, 'create_entry', false],
    ]);
    expect(revisions[1]).toMatchObject({ actor: 'Ada', note: 'why', snapshot: expect.stringMatching(/^sn_/) });
  });

  it.each(['en_none', '/none'])('says that there is no %s', async (node) => {
    expect(await site.refusal('get_node_history', { node })).toMatchObject({ code: 'not_found' });
  });
});

describe('get_snapshot', () => {
  it('gives its digests, its call and the nodes it changed', async () => {
    const { snapshot, data } = await site.call('create_entry', { type: 'article', fields: { title: 'Shot' } });
    const { id } = data as { id: string };
    const digests = await site.check();
    expect(await site.data('get_snapshot', { snapshot })).toMatchObject({
      id: snapshot,
      tool: 'create_entry',
      changed: 1,
      draftDigest: digests.draft,
      liveDigest: digests.live,
      changes: [{ track: 'draft', id, change: 'added', title: 'Shot' }],
    });
    const published = await site.publish(id);
    const { changes } = await site.data('get_snapshot', { snapshot: published.snapshot });
    expect(changes).toMatchObject([{ track: 'live', id, change: 'added' }]);
    expect((await site.data('list_publications')).publications[0]).toMatchObject({ id: published.snapshot });
  });

  it('says that there is none', async () => {
    expect(await site.refusal('get_snapshot', { snapshot: 'sn_none' })).toMatchObject({ code: 'not_found' });
  });
});
