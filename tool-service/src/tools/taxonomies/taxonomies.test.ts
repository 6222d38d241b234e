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

type Args = Record<string, unknown>;
const propose = (op: string, args: Args = {}) =>
  site.call('propose_term', { op, taxonomy: 'topics', reason: 'test', ...args });
const refusal = (op: string, args: Args = {}) =>
  site.refusal('propose_term', { op, taxonomy: 'topics', reason: 'test', ...args });
const effect = async (op: string, args: Args = {}) =>
  (await site.assess('propose_term', { op, taxonomy: 'topics', reason: 'test', ...args })).effect;
const newTerm = async (label: string, more: Args = {}) => {
  const { data } = await propose('create', { set: { label, ...more } });
  return data as { id: string; slug: string; rev: number; path: string };
};
const newArticle = (title: string, ...topics: string[]) =>
  site.data('create_entry', { type: 'article', fields: { title }, ...(topics.length > 0 && { terms: { topics } }) });
const topicsOf = async (entry: string, more: Args = {}) =>
  (await site.data('get_entry', { entry, ...more })).terms?.topics;
const term = async (q: string) => (await site.data('list_terms', { taxonomy: 'topics', q })).terms[0];

describe('a site', () => {
  it('has topics from the start', async () => {
    expect((await site.data('list_taxonomies')).taxonomies).toMatchObject([
      { name: 'topics', hierarchical: true, path: '/topics', terms: 0, status: 'published' },
    ]);
  });
});

describe('propose_term', () => {
  it('makes, describes and translates a term at once', async () => {
    expect(await effect('create', { set: { label: 'Sea' } })).toBe('edit');
    const before = await site.check();
    expect(await propose('create', { set: { label: 'Sea', synonyms: ['Ocean'] } })).toMatchObject({
      rev: 1,
      data: { slug: 'sea', path: '/topics/sea' },
    });
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await effect('describe', { term: 'sea', set: { description: 'x' } })).toBe('edit');
    await propose('describe', { term: 'sea', set: { description: 'Salt water.' } });
    await propose('translate', { term: 'sea', rev: 2, set: { locale: 'de', label: 'Meer' } });
    for (const q of ['SEA', 'ocean', 'meer']) {
      expect(await term(q)).toMatchObject({ slug: 'sea', description: 'Salt water.', entries: 0, rev: 3 });
    }
    const { terms } = await site.data('list_terms', { taxonomy: 'topics', locale: 'de' });
    expect(terms).toMatchObject([{ slug: 'sea', label: 'Meer' }]);
  });

  it('renames a term with all entries that carry it, as one snapshot, by a person', async () => {
    await newTerm('Fish');
    const [a, b] = [await newArticle('Cod', 'fish', 'sea'), await newArticle('Eel', 'fish')];
    expect((await term('fish')).entries).toBe(2);
    expect(await effect('rename', { term: 'fish', set: { slug: 'fishes' } })).toBe('person');
    const before = await site.check();
    const result = await propose('rename', { term: 'fish', set: { slug: 'fishes' } });
    expect(result).toMatchObject({ data: { slug: 'fishes', entriesChanged: 2 } });
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await topicsOf(a.id)).toEqual(['sea', 'fishes']);
    expect(await topicsOf(b.id)).toEqual(['fishes']);
    expect((await site.assess('undo_change', { snapshot: result.snapshot! })).effect).toBe('person');
    await site.call('undo_change', { snapshot: result.snapshot! });
    expect(await topicsOf(b.id)).toEqual(['fish']);
    expect(await term('fish')).toMatchObject({ slug: 'fish', entries: 2 });
  });

  it('merges one term into another, with its entries, the terms below it and its name', async () => {
    const keep = await newTerm('Boats');
    const gone = await newTerm('Ships');
    const below = await newTerm('Steamers', { parent: 'ships' });
    const article = await newArticle('Titanic', 'ships', 'boats');
    expect(await effect('merge', { term: 'ships', into: 'boats' })).toBe('person');
    await propose('merge', { term: 'ships', into: 'boats' });
    expect(await topicsOf(article.id)).toEqual(['boats']);
    expect(await term('steamers')).toMatchObject({ id: below.id, parent: keep.id });
    expect(await term('ships')).toMatchObject({ id: keep.id, synonyms: ['Ships'] });
    expect(await site.refusal('validate_draft', { node: gone.id })).toMatchObject({ code: 'not_found' });
  });

  it('leads readers on from an address that they knew', async () => {
    const { id } = await newTerm('Harbours');
    await newTerm('Ports');
    await site.publish(id);
    await propose('rename', { term: 'harbours', set: { slug: 'havens' } });
    expect(await site.data('test_redirect', { path: '/topics/harbours' })).toMatchObject({
      chain: [{ from: '/topics/harbours', to: '/topics/havens' }],
      outcome: 'redirected',
    });
    await propose('merge', { term: 'havens', into: 'ports' });
    expect(await site.data('test_redirect', { path: '/topics/harbours' })).toMatchObject({
      chain: [{ from: '/topics/harbours', to: '/topics/ports' }],
    });
  });

  it('moves a term under another, never under itself or too deep', async () => {
    for (const [label, parent] of [['L1'], ['L2', 'l1'], ['L3', 'l2'], ['L4', 'l3'], ['L5', 'l4'], ['L6', 'l5']]) {
      await newTerm(label!, parent === undefined ? {} : { parent });
    }
    await newTerm('Loose');
    await newTerm('Under loose', { parent: 'loose' });
    for (const parent of ['loose', 'under-loose']) {
      expect(await refusal('move', { term: 'loose', set: { parent } })).toMatchObject({
        code: 'validation_failed',
        details: { path: 'set.parent' },
      });
    }
    expect(await refusal('create', { set: { label: 'L7', parent: 'l6' } })).toMatchObject({ code: 'limit_exceeded' });
    expect(await refusal('move', { term: 'loose', set: { parent: 'l5' } })).toMatchObject({ code: 'limit_exceeded' });
    expect(await refusal('merge', { term: 'l1', into: 'l3' })).toMatchObject({ details: { path: 'into' } });
    expect(await effect('move', { term: 'loose', set: { parent: 'l1' } })).toBe('person');
    await propose('move', { term: 'loose', set: { parent: 'l1' } });
    const { terms } = await site.data('list_terms', { taxonomy: 'topics', parent: 'l1' });
    expect(terms.map(({ slug }: { slug: string }) => slug)).toEqual(['l2', 'loose']);
    await propose('move', { term: 'loose', set: { parent: '/' } });
    expect(await term('loose')).not.toHaveProperty('parent');
  });

  it('deletes a term only when nothing is sorted by it', async () => {
    await newTerm('Unused');
    await newTerm('Used');
    const article = await newArticle('User', 'used');
    expect(await refusal('delete', { term: 'used' })).toMatchObject({
      code: 'in_use',
      details: { by: [`entry ${article.id}`] },
    });
    expect(await refusal('delete', { term: 'l1' })).toMatchObject({ code: 'in_use' });
    expect(await effect('delete', { term: 'unused' })).toBe('person');
    await propose('delete', { term: 'unused' });
    expect(await term('unused')).toBeUndefined();
  });

  it('adds a taxonomy, for certain types, by a person', async () => {
    const args = { op: 'create_taxonomy', taxonomy: 'places', reason: 'r' };
    const set = { title: 'Places', types: ['article'] };
    expect((await site.assess('propose_term', { ...args, set })).effect).toBe('person');
    await site.call('propose_term', { ...args, set });
    await site.call('propose_term', { op: 'create', taxonomy: 'places', reason: 'r', set: { label: 'Oslo' } });
    const flat = { op: 'create', taxonomy: 'places', reason: 'r', set: { label: 'Centre', parent: 'oslo' } };
    expect(await site.refusal('propose_term', flat)).toMatchObject({ details: { path: 'set.parent' } });
    expect(await site.refusal('propose_term', { ...args, set })).toMatchObject({ code: 'slug_taken' });
    for (const [taxonomy, code] of [
      ['articles', 'slug_taken'],
      ['de', 'slug_taken'],
      ['mcp', 'validation_failed'],
      ['A b', 'validation_failed'],
    ]) {
      expect(await site.refusal('propose_term', { ...args, taxonomy, set: { title: 'x' } })).toMatchObject({ code });
    }
  });

  it.each([
    ['create without a label', 'create', { set: {} }, 'validation_failed'],
    ['create of a term that is there', 'create', { set: { label: 'sea' } }, 'slug_taken'],
    ['create with a slug in other letters', 'create', { set: { label: 'x', slug: 'sеa' } }, 'validation_failed'],
    ['create with an unknown member', 'create', { set: { label: 'x', colour: 'red' } }, 'validation_failed'],
    ['create with a term', 'create', { term: 'sea', set: { label: 'x' } }, 'validation_failed'],
    ['describe without a term', 'describe', { set: { label: 'x' } }, 'validation_failed'],
    ['describe with a stale rev', 'describe', { term: 'sea', rev: 1, set: { label: 'x' } }, 'rev_conflict'],
    [
      'translate into a locale that the site has not',
      'translate',
      { term: 'sea', set: { locale: 'fr', label: 'x' } },
      'validation_failed',
    ],
    ['rename to a taken slug', 'rename', { term: 'sea', set: { slug: 'boats' } }, 'slug_taken'],
    ['merge into itself', 'merge', { term: 'sea', into: 'sea' }, 'validation_failed'],
    ['merge into nothing', 'merge', { term: 'sea', into: 'none' }, 'not_found'],
    ['an unknown term', 'delete', { term: 'none' }, 'not_found'],
    ['an unknown taxonomy', 'create', { taxonomy: 'colours', set: { label: 'x' } }, 'validation_failed'],
    [
      'a taxonomy named like a member of every object',
      'create',
      { taxonomy: 'constructor', set: { label: 'x' } },
      'validation_failed',
    ],
    ['an unknown operation', 'split', { term: 'sea' }, 'validation_failed'],
  ])('refuses %s', async (_, op, args, code) => {
    const before = await site.check();
    expect(await refusal(op, args)).toMatchObject({ code, applied: 'no' });
    expect((await site.check()).seq).toBe(before.seq);
  });
});

describe('terms of entries', () => {
  it('must be there, and the refusal says where to find them', async () => {
    const fields = { title: 'New' };
    const error = await site.refusal('create_entry', { type: 'article', fields, terms: { topics: ['sea', 'nope'] } });
    expect(error).toMatchObject({ code: 'validation_failed', details: { path: 'terms.topics[1]' } });
    expect(error.message).toMatch(/list_terms.*propose_term/);
    const { id } = await newArticle('Terms', 'sea');
    const update = (terms: Args) => site.refusal('update_entry', { entry: id, rev: 1, terms });
    expect(await update({ add: { topics: ['nope'] } })).toMatchObject({ details: { path: 'terms.add.topics[0]' } });
    expect(await update({ add: { colours: ['red'] } })).toMatchObject({ details: { path: 'terms.add.colours' } });
    const items = [{ entry: id, rev: 1 }];
    expect(await site.refusal('bulk_update_entries', { items, terms: { add: { topics: ['nope'] } } })).toMatchObject({
      code: 'validation_failed',
    });
    expect(await site.refusal('list_entries', { type: 'article', terms: { topics: ['nope'] } })).toMatchObject({
      code: 'validation_failed',
    });
    expect((await site.data('get_backlinks', { node: '/topics/sea', kinds: ['entry'] })).backlinks).toContainEqual(
      expect.objectContaining({ source: id, role: 'term' }),
    );
  });

  it('are taken from front matter where they are there, and never made by it', async () => {
    const items = [{ slug: 'imported', frontmatter: { title: 'x', topics: ['OCEAN', 'boats', 'casino-bonus'] } }];
    const report = (await site.data('import_entries', { type: 'article', items })).items[0];
    expect(report.warnings).toEqual(['"casino-bonus" is no term here; propose_term makes one.']);
    expect(await topicsOf(report.id)).toEqual(['sea', 'boats']);
    expect(await term('casino')).toBeUndefined();
  });
});

describe('assign_terms', () => {
  it('adds and removes on several entries, as one snapshot', async () => {
    const [a, b] = [await newArticle('Assign a', 'sea'), await newArticle('Assign b')];
    const before = await site.check();
    const args = { taxonomy: 'topics', add: ['boats'], remove: ['sea'] };
    const items = [a, b].map(({ id }) => ({ entry: id, rev: 1 }));
    expect((await site.data('assign_terms', { ...args, items })).entries).toMatchObject([
      { id: a.id, rev: 2, terms: ['boats'] },
      { id: b.id, rev: 2, terms: ['boats'] },
    ]);
    expect((await site.check()).seq).toBe(before.seq + 1);
    const again = items.map((item) => ({ ...item, rev: 2 }));
    expect(await site.call('assign_terms', { ...args, items: again })).toMatchObject({ changed: false });
    expect(await site.refusal('assign_terms', { ...args, items: [again[0], items[1]] })).toMatchObject({
      code: 'rev_conflict',
    });
  });

  it.each([
    ['nothing to do', {}],
    ['the same term twice over', { add: ['sea'], remove: ['sea'] }],
    ['an unknown term', { add: ['nope'] }],
    ['an unknown taxonomy', { taxonomy: 'colours', add: ['red'] }],
    ['an empty list', { add: [] }],
  ])('refuses %s', async (name, args) => {
    const { id } = await newArticle(name);
    const error = await site.refusal('assign_terms', { items: [{ entry: id, rev: 1 }], taxonomy: 'topics', ...args });
    expect(error).toMatchObject({ code: 'validation_failed', applied: 'no' });
  });
});

describe('list_terms', () => {
  it('is read in pages', async () => {
    const all: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await site.call('list_terms', { taxonomy: 'topics', limit: 4, ...(cursor && { cursor }) });
      all.push(...(page.data as { terms: { label: string }[] }).terms.map(({ label }) => label));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(all).toEqual([...new Set(all)].sort());
    expect(all).toEqual(expect.arrayContaining(['Boats', 'L6', 'Sea']));
  });
});

describe('terms on the way to readers', () => {
  it('always take a person, and go back with a rollback', async () => {
    const { id } = await newTerm('Lights');
    const publish = { what: { nodes: [id] }, expectDraft: (await site.data('get_site')).snapshot };
    expect((await site.assess('publish', publish)).effect).toBe('person');
    const before = await site.data('get_site');
    await site.call('publish', publish);
    expect(await site.data('resolve_path', { path: '/topics/lights' })).toMatchObject({ id, kind: 'term' });
    const { liveSnapshot } = await site.data('get_site');
    await site.call('rollback', { snapshot: before.snapshot, track: 'live', expectLive: liveSnapshot, reason: 'r' });
    expect(await site.refusal('resolve_path', { path: '/topics/lights' })).toMatchObject({ code: 'not_found' });
  });
});
