import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite();
  await site.addTerms('topics', 'x', 'y');
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const newArticle = (title: string, more: object = {}) =>
  site.data('create_entry', { type: 'article', fields: { title }, ...more });

describe('duplicate_entry', () => {
  it('copies an entry under a free slug', async () => {
    const { id } = await newArticle('Original', { body: 'One.\n\nTwo.' });
    const copy = await site.data('duplicate_entry', { entry: id });
    expect(copy).toMatchObject({ slug: 'original-copy', rev: 1 });
    expect(await site.data('duplicate_entry', { entry: id })).toMatchObject({ slug: 'original-copy-2' });
    expect(await site.data('get_entry', { entry: copy.id })).toMatchObject({
      fields: { title: 'Original' },
      body: 'One.\n\nTwo.',
    });
  });

  it('keeps the mark of imported text', async () => {
    await site.call('import_entries', { type: 'article', items: [{ slug: 'in', frontmatter: { title: 'In' } }] });
    const { id } = await site.data('duplicate_entry', { entry: 'in', slug: 'out' });
    expect(await site.data('get_entry', { entry: id })).toHaveProperty('untrusted');
  });

  it.each([
    [{ entry: 'en_none' }, 'not_found'],
    [{ entry: 'original', slug: 'Bad Slug' }, 'validation_failed'],
    [{ entry: 'original', slug: 'original' }, 'slug_taken'],
  ])('refuses %j', async (args, code) => {
    expect(await site.refusal('duplicate_entry', args)).toMatchObject({ code });
  });
});

describe('bulk_update_entries', () => {
  it('shows what would change unless it is told to change it', async () => {
    const [a, b] = [await newArticle('Bulk a'), await newArticle('Bulk b', { terms: { topics: ['x'] } })];
    const items = [a, b].map(({ id }) => ({ entry: id, rev: 1 }));
    const args = { items, set: { summary: 'New' }, terms: { add: { topics: ['y'] } } };
    const before = await site.check();
    const dry = await site.call('bulk_update_entries', args);
    expect(dry).toMatchObject({ changed: false });
    expect((await site.check()).seq).toBe(before.seq);
    const { entries } = dry.data as { entries: { members: object[] }[] };
    expect(entries[1]!.members).toEqual([
      { member: 'terms.topics', before: ['x'], after: ['x', 'y'] },
      { member: 'fields.summary', after: 'New' },
    ]);
    expect(await site.call('bulk_update_entries', { ...args, dryRun: false })).toMatchObject({ changed: true });
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await site.data('get_entry', { entry: b.id })).toMatchObject({ rev: 2, terms: { topics: ['x', 'y'] } });
  });

  it('changes all of them or none', async () => {
    const [a, b] = [await newArticle('None a'), await newArticle('None b')];
    const items = [
      { entry: a.id, rev: 1 },
      { entry: b.id, rev: 7 },
    ];
    const error = await site.refusal('bulk_update_entries', { items, set: { summary: 'x' }, dryRun: false });
    expect(error).toMatchObject({ code: 'rev_conflict', details: { node: b.id } });
    expect(await site.data('get_entry', { entry: a.id })).toMatchObject({ rev: 1 });
  });

  it.each([
    [{ items: [] }, 'items'],
    [{ items: Array.from({ length: 51 }, () => ({ entry: 'original', rev: 1 })) }, 'items'],
    [{ items: [{ entry: 'original' }] }, 'items[0].rev'],
    [
      {
        items: [
          { entry: 'original', rev: 1 },
          { entry: '/articles/original', rev: 1 },
        ],
      },
      'items[1].entry',
    ],
    [{ set: undefined }, 'set'],
    [{ set: { colour: 'red' } }, 'set.colour'],
  ])('refuses %j', async (args, path) => {
    const all = { items: [{ entry: 'original', rev: 1 }], set: { summary: 'x' }, ...args };
    const error = await site.refusal('bulk_update_entries', JSON.parse(JSON.stringify(all)));
    expect(error).toMatchObject({ code: 'validation_failed', details: { path } });
  });
});

describe('restore_node', () => {
  it('brings an entry back to its state in a snapshot, and out of the trash', async () => {
    const { snapshot, data } = await site.call('create_entry', {
      type: 'article',
      fields: { title: 'Then' },
      body: 'Old.',
    });
    const { id } = data as { id: string };
    await site.call('update_entry', { entry: id, rev: 1, set: { title: 'Now' }, body: 'New.' });
    expect(await site.data('restore_node', { node: id, from: 'snapshot', snapshot, rev: 2 })).toMatchObject({ rev: 3 });
    expect(await site.data('get_entry', { entry: id })).toMatchObject({ fields: { title: 'Then' }, body: 'Old.' });
    await site.call('delete_entry', { entry: id, rev: 3 });
    expect(await site.data('restore_node', { node: id, from: 'trash', rev: 4 })).toMatchObject({ rev: 5 });
    expect(await site.data('get_entry', { entry: id })).toMatchObject({ fields: { title: 'Then' }, rev: 5 });
  });

  it('of a content type takes a person', async () => {
    const head = (await site.data('list_snapshots', { limit: 1 })).snapshots[0];
    const type = await site.view().get('content_type', 'article');
    await site.change((draft) =>
      draft.save('content_type', type.id, type.rev, (body) => ({ ...body, title: 'Story' })),
    );
    const args = { node: type.id, from: 'snapshot', snapshot: head.id, rev: type.rev + 1 };
    expect((await site.assess('restore_node', args)).effect).toBe('person');
  });

  it.each([
    ['from the trash what is not in it', { from: 'trash' }, 'validation_failed', 'from'],
    ['without the rev of what is there', { from: 'snapshot', snapshot: 'HEAD' }, 'validation_failed', 'rev'],
    ['with a stale rev', { from: 'snapshot', snapshot: 'HEAD', rev: 9 }, 'rev_conflict', undefined],
    ['from a snapshot without its id', { from: 'snapshot' }, 'validation_failed', 'snapshot'],
    ['from an unknown snapshot', { from: 'snapshot', snapshot: 'sn_none', rev: 1 }, 'not_found', undefined],
    ['an unknown node', { node: 'en_none', from: 'trash' }, 'not_found', undefined],
  ])('refuses %s', async (_, args, code, path) => {
    const { id } = await site.data('get_entry', { entry: 'original' });
    const [head] = (await site.data('list_snapshots', { limit: 1 })).snapshots;
    const filled = JSON.parse(JSON.stringify({ node: id, ...args }).replace('HEAD', head.id));
    expect(await site.refusal('restore_node', filled)).toMatchObject({ code, ...(path && { details: { path } }) });
  });
});
