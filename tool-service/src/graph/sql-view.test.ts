import type { EntryBody } from '@cloudhal/shared/site/shapes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addArticle, articleBody, openTestSite, pageBody, type TestSite } from '../testing/test-site.ts';
import { createSite } from './create-site.ts';
import type { At, GraphNode, Listed, NodeQuery, Page } from './node.ts';

let site: TestSite;
const ids: Record<string, string> = {};
beforeAll(async () => {
  site = await openTestSite({ locales: ['en', 'de'] });
});
afterAll(() => site.drop());

type Query = NodeQuery & { kind: 'entry' };
const slugs = (page: Page<Listed<'entry'>>) => page.items.map((node) => node.body.slug);

/** Every page of a list, one node at a time. */
async function walk(query: Query): Promise<string[]> {
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await site.view().list({ ...query, limit: 1, ...(cursor !== undefined && { cursor }) });
    all.push(...slugs(page));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}

describe('lists', () => {
  beforeAll(async () => {
    const fields: Record<string, EntryBody['fields']> = {
      apple: { title: 'Cherry', publishedOn: '2024-02-01', summary: 'Red and round' },
      banana: { title: 'Apple', publishedOn: '2024-01-01' },
      cherry: { title: 'Banana', publishedOn: '2024-03-01', summary: 'ROUND too' },
    };
    for (const [slug, own] of Object.entries(fields)) ids[slug] = (await addArticle(site, slug, { fields: own })).id;
    ids.deutsch = (await addArticle(site, 'deutsch', { locale: 'de' })).id;
    ids.gone = (await addArticle(site, 'gone')).id;
    await site.change((draft) => draft.remove(ids.gone!, 1));
    await site.publish(ids.apple!, ids.banana!);
    await site.change((draft) => draft.save('entry', ids.banana!, 1, (body) => ({ ...body, body: 'Newer.' })));
  });

  it.each<[string, Partial<Query>, string[]]>([
    ['by path', { sort: 'path' }, ['apple', 'banana', 'cherry', 'deutsch']],
    ['by title, downwards', { sort: 'title', descending: true }, ['apple', 'cherry', 'banana', 'deutsch']],
    ['by date, newest first', { sort: 'date', descending: true, locale: 'en' }, ['cherry', 'apple', 'banana']],
    ['by last change', { sort: 'updated' }, ['apple', 'cherry', 'deutsch', 'banana']],
  ])('are sorted %s, and pages neither repeat nor leave out', async (_, query, expected) => {
    expect(slugs(await site.view().list({ kind: 'entry', ...query }))).toEqual(expected);
    expect(await walk({ kind: 'entry', ...query })).toEqual(expected);
  });

  it.each<[string, Partial<Query>, string[]]>([
    ['live and unchanged', { status: 'published' }, ['apple']],
    ['live with a newer draft', { status: 'changed' }, ['banana']],
    ['not live', { status: 'draft' }, ['cherry', 'deutsch']],
    ['in the trash', { status: 'trash' }, ['gone']],
    ['in a locale', { locale: 'de' }, ['deutsch']],
    ['live', { at: { track: 'live' } }, ['apple', 'banana']],
    ['of another type', { type: 'recipe' }, []],
    ['equal', { where: [{ member: 'fields.title', is: 'eq', value: 'Apple' }] }, ['banana']],
    ['one of', { where: [{ member: 'fields.title', is: 'in', value: ['Apple', 'Cherry'] }] }, ['apple', 'banana']],
    ['later than', { where: [{ member: 'fields.publishedOn', is: 'gt', value: '2024-01-01' }] }, ['apple', 'cherry']],
    ['earlier than', { where: [{ member: 'fields.publishedOn', is: 'lt', value: '2024-02-01' }] }, ['banana']],
    [
      'with a text in it',
      { where: [{ member: 'fields.summary', is: 'contains', value: 'round' }] },
      ['apple', 'cherry'],
    ],
    ['with a field', { where: [{ member: 'fields.summary', is: 'exists', value: true }] }, ['apple', 'cherry']],
    ['without a field', { where: [{ member: 'fields.summary', is: 'exists', value: false }] }, ['banana', 'deutsch']],
  ])('are filtered to what is %s', async (_, query, expected) => {
    expect(slugs(await site.view().list({ kind: 'entry', sort: 'path', ...query }))).toEqual(expected);
  });

  it('filter by time', async () => {
    const now = new Date(Date.now() + 60_000).toISOString();
    expect(slugs(await site.view().list({ kind: 'entry', updatedSince: now }))).toEqual([]);
    await expect(site.view().list({ kind: 'entry', updatedSince: 'yesterday' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('refuse a cursor that they did not make', async () => {
    for (const cursor of ['x', toBase64('["a"]'), toBase64('[1,2]'), toBase64('{}')]) {
      await expect(site.view().list({ kind: 'entry', sort: 'path', cursor })).rejects.toMatchObject({
        body: { details: { path: 'cursor' } },
      });
    }
  });

  it('count nodes by where they stand', async () => {
    const counts = await site.view().counts();
    expect(counts).toContainEqual({ kind: 'entry', type: 'article', locale: 'en', status: 'changed', nodes: 1 });
    expect(counts).toContainEqual({ kind: 'entry', type: 'article', locale: 'en', status: 'trash', nodes: 1 });
  });
});

const toBase64 = (text: string) => Buffer.from(text).toString('base64url');

describe('a reference', () => {
  it('is an id, a path or a slug, and the default locale goes first', async () => {
    const en = await addArticle(site, 'both');
    const de = await addArticle(site, 'both', { locale: 'de' });
    const view = site.view();
    expect((await view.get('entry', en.id)).id).toBe(en.id);
    expect((await view.get('entry', '/articles/both')).id).toBe(en.id);
    expect((await view.get('entry', 'both')).id).toBe(en.id);
    expect((await view.get('entry', 'both', { locale: 'de' })).id).toBe(de.id);
    expect((await view.atPath('/articles/both', { locale: 'de' }))?.id).toBe(de.id);
    await expect(view.get('entry', 'nowhere')).rejects.toMatchObject({ code: 'not_found' });
    await expect(view.get('page', en.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('never reaches into another site', async () => {
    const other = await createSite(site.database, { slug: 'other', title: 'Other' });
    const made = await site.change((draft) => draft.create('entry', articleBody('elsewhere')), { site: other.id });
    const { id, hash } = made.data as GraphNode;
    const here = site.view();
    await expect(here.node(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await here.find('entry', 'elsewhere')).toBeUndefined();
    expect((await here.search({ text: 'elsewhere' })).items).toEqual([]);
    await expect(here.history(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(here.snapshot(made.snapshot!)).rejects.toMatchObject({ code: 'not_found' });
    await expect(site.change((draft) => draft.remove(id, 1))).rejects.toMatchObject({ code: 'not_found' });
    const twin = await addArticle(site, 'elsewhere');
    expect(twin.hash).toBe(hash);
  });
});

describe('history', () => {
  it('tells every revision with who made it, newest first', async () => {
    const node = await addArticle(site, 'told');
    for (let rev = 1; rev <= 3; rev++) {
      await site.change(
        (draft) => draft.save('entry', node.id, rev, (body) => ({ ...body, body: `Rev ${rev + 1}.` })),
        {
          actor: { id: 'agent:bob', name: 'Bob' },
          note: `Note ${rev}`,
        },
      );
    }
    const first = await site.view().history(node.id, { limit: 3 });
    expect(first.items.map(({ rev, actor, note }) => [rev, actor, note])).toEqual([
      [4, 'Bob', 'Note 3'],
      [3, 'Bob', 'Note 2'],
      [2, 'Bob', 'Note 1'],
    ]);
    const second = await site.view().history(node.id, { limit: 3, cursor: first.cursor! });
    expect(second.items.map(({ rev, actor }) => [rev, actor])).toEqual([[1, 'Ada']]);
    expect(second.cursor).toBeUndefined();
    const old = await site.view().get('entry', node.id, { snapshot: first.items[1]!.snapshot });
    expect([old.rev, old.body.body]).toEqual([3, 'Rev 3.']);
    await expect(site.view().history('en_nowhere')).rejects.toMatchObject({ code: 'not_found' });
    await expect(site.view().snapshot('sn_nowhere')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('lists snapshots by node and by actor', async () => {
    const node = await addArticle(site, 'snapped');
    await site.publish(node.id);
    const { items } = await site.view().snapshots({ node: node.id });
    expect(items).toHaveLength(2);
    expect(items[0]!.parent).toBe(items[1]!.id);
    expect((await site.view().snapshots({ actor: 'agent:nobody' })).items).toEqual([]);
    expect((await site.view().snapshots({ node: node.id, track: 'live' })).items).toHaveLength(1);
  });
});

describe('differences', () => {
  it('between two states are the nodes that differ in the end, with both sides', async () => {
    const a = await addArticle(site, 'diff-a');
    const b = await addArticle(site, 'diff-b');
    const { snapshot: before } = await site.view().head();
    const text = (node: GraphNode, rev: number, body: string) =>
      site.change((draft) => draft.save('entry', node.id, rev, (entry) => ({ ...entry, body })));
    await text(a, 1, 'Other.');
    await text(b, 1, 'Other.');
    await text(b, 2, '');
    const c = await addArticle(site, 'diff-c');
    await site.change((draft) => draft.remove(a.id, 2));
    const { items } = await site.view().differences({ snapshot: before }, {});
    expect(items.map((item) => [item.id, item.before?.rev, item.after?.rev, item.after?.deleted])).toEqual(
      [
        [a.id, 1, 3, true],
        [c.id, undefined, 1, false],
      ].sort(),
    );
    const back = await site.view().differences({}, { snapshot: before });
    expect(back.items.map((item) => item.id).sort()).toEqual([a.id, c.id].sort());
    expect((await site.view().differences({ snapshot: before }, { snapshot: before })).items).toEqual([]);
  });

  it('come in pages', async () => {
    const { snapshot: before } = await site.view().head();
    const made = await site.change(async (draft) => {
      const nodes = [];
      for (let i = 0; i < 5; i++) nodes.push(await draft.create('entry', articleBody(`paged-${i}`)));
      return nodes.map((node) => node.id);
    });
    const first = await site.view().differences({ snapshot: before }, {}, { limit: 3 });
    const second = await site.view().differences({ snapshot: before }, {}, { limit: 3, cursor: first.cursor! });
    expect([...first.items, ...second.items].map((item) => item.id)).toEqual([...(made.data as string[])].sort());
  });

  it('from live to draft are what a publish would change', async () => {
    const node = await addArticle(site, 'to-publish');
    const pending = await site.view().allDifferences({ track: 'live' }, { track: 'draft' });
    expect(pending.map((item) => item.id)).toContain(node.id);
    await site.publish(...pending.flatMap((item) => (item.after?.deleted ? [] : [item.id])));
    expect(await site.view().allDifferences({ track: 'live' }, { track: 'draft' })).toEqual([]);
  });

  it('from what was live once to a draft, of then or of now', async () => {
    const [published, edited] = [await addArticle(site, 'since-published'), await addArticle(site, 'since-edited')];
    await site.publish(edited.id);
    const { snapshot } = await site.view().head();
    await site.publish(published.id);
    await site.change((draft) => draft.save('entry', edited.id, 1, (entry) => ({ ...entry, body: 'Other.' })));
    const ids = async (draft: At) =>
      (await site.view().allDifferences({ track: 'live', snapshot }, { track: 'draft', ...draft })).map(({ id }) => id);
    expect(await ids({ snapshot })).toEqual([published.id]);
    expect(await ids({})).toEqual([published.id, edited.id].sort());
  });
});

describe('backlinks', () => {
  it('are found by id and by path, and follow the draft', async () => {
    const target = (await site.change((draft) => draft.create('page', pageBody('linked')))).data as GraphNode;
    const child = (
      await site.change((draft) =>
        draft.create('page', pageBody('child', { parent: target.id, path: '/linked/child' })),
      )
    ).data as GraphNode;
    const entry = await addArticle(site, 'linking', {
      body: 'See [it](/linked#part "t") and [ref].\n\n[ref]: /linked',
    });
    const { items } = await site.view().backlinks(target);
    expect(items.map((item) => [item.source, item.role]).sort()).toEqual(
      [
        [child.id, 'parent'],
        [entry.id, 'link'],
      ].sort(),
    );
    expect((await site.view().backlinks(target, { kinds: ['entry'] })).items).toHaveLength(1);
    await site.change((draft) => draft.save('entry', entry.id, 1, (body) => ({ ...body, body: 'No more.' })));
    expect((await site.view().backlinks(target)).items.map((item) => item.source)).toEqual([child.id]);
  });
});

describe('search', () => {
  const find = async (text: string, more = {}) =>
    (await site.view().search({ text, ...more })).items.map((hit) => hit.title);

  beforeAll(async () => {
    await addArticle(site, 'fox', {
      fields: { title: 'A quick fox' },
      body: 'It **jumps** over lazy dogs near the river.',
    });
    await addArticle(site, 'dog', { fields: { title: 'A lazy dog' }, body: 'It sleeps.' });
    await addArticle(site, 'haus', { locale: 'de', fields: { title: 'Häuser am Fluss' }, body: 'Viele Häuser.' });
  });

  it('finds word forms, phrases and exclusions, in each language of the site', async () => {
    expect(await find('jumping')).toEqual(['A quick fox']);
    expect(await find('"lazy dogs" river')).toEqual(['A quick fox']);
    expect(await find('lazy -river')).toEqual(['A lazy dog']);
    expect(await find('haus')).toEqual(['Häuser am Fluss']);
    expect(await find('haus', { locale: 'en' })).toEqual([]);
    expect(await find('"unbalanced & | ! <-> (:*')).toEqual([]);
  });

  it('puts a match in the title first and shows where it matched', async () => {
    const { items } = await site.view().search({ text: 'lazy dog' });
    expect(items.map((hit) => hit.title)).toEqual(['A lazy dog', 'A quick fox']);
    expect(items[1]!.snippet).toContain('**lazy** **dogs**');
    expect(items[0]).toMatchObject({ kind: 'entry', path: '/articles/dog', locale: 'en' });
  });

  it('goes on where the last page ended', async () => {
    const first = await site.view().search({ text: 'lazy', limit: 1 });
    const second = await site.view().search({ text: 'lazy', limit: 1, cursor: first.cursor! });
    expect(second.items.map((hit) => hit.id)).not.toEqual(first.items.map((hit) => hit.id));
    expect(second.cursor).toBeUndefined();
  });

  it('keeps draft and live apart, and forgets what went to the trash', async () => {
    const node = await addArticle(site, 'zebra', { fields: { title: 'Zebra' } });
    expect(await find('zebra', { track: 'live' })).toEqual([]);
    await site.publish(node.id);
    await site.change((draft) => draft.save('entry', node.id, 1, (body) => ({ ...body, fields: { title: 'Okapi' } })));
    expect([await find('zebra'), await find('zebra', { track: 'live' }), await find('okapi')]).toEqual([
      [],
      ['Zebra'],
      ['Okapi'],
    ]);
    await site.change((draft) => draft.remove(node.id, 2));
    expect([await find('okapi'), await find('zebra', { track: 'live' })]).toEqual([[], ['Zebra']]);
  });
});
