import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
  await site.addTerms('topics', 'sea', 'a', 'b', 'c');
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const newArticle = (title: string, more: Record<string, unknown> = {}) =>
  site.data('create_entry', { type: 'article', fields: { title }, ...more });

describe('create_entry', () => {
  it('makes a draft with body, terms and bylines, as one snapshot', async () => {
    const ada = await site.data('propose_person', { set: { name: 'Ada Byron' }, reason: 'She wrote it.' });
    const before = await site.check();
    const result = await site.call('create_entry', {
      type: 'article',
      fields: { title: 'Tides', summary: 'Up and down.' },
      body: '# Tides\n\nTwice a day.\n',
      terms: { topics: ['sea'] },
      bylines: ['ada-byron'],
    });
    expect(result).toMatchObject({
      rev: 1,
      changed: true,
      data: { slug: 'tides', path: '/articles/tides', locale: 'en' },
    });
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await site.data('get_entry', { entry: 'tides' })).toMatchObject({
      fields: { title: 'Tides', summary: 'Up and down.' },
      body: '# Tides\n\nTwice a day.\n',
      terms: { topics: ['sea'] },
      bylines: [ada.id],
      status: 'draft',
    });
  });

  it('with the same requestId makes nothing twice', async () => {
    const args = { type: 'article', fields: { title: 'Once' }, requestId: 'r-1' };
    const first = await site.call('create_entry', args);
    const before = await site.check();
    expect(await site.call('create_entry', args)).toEqual(first);
    expect((await site.check()).seq).toBe(before.seq);
    expect(await site.refusal('create_entry', { ...args, fields: { title: 'Twice' } })).toMatchObject({
      code: 'idempotency_conflict',
    });
  });

  it.each([
    ['an unknown type', { type: 'novel' }, 'validation_failed', 'type'],
    ['no title', { fields: {} }, 'validation_failed', 'fields.title'],
    ['an empty title', { fields: { title: '' } }, 'validation_failed', 'fields.title'],
    ['an unknown field', { fields: { title: 'x', colour: 'red' } }, 'validation_failed', 'fields.colour'],
    [
      '__proto__ as a field',
      { fields: JSON.parse('{"title":"x","__proto__":{"a":1}}') },
      'validation_failed',
      'fields.__proto__',
    ],
    ['a wrong date', { fields: { title: 'x', publishedOn: 'soon' } }, 'validation_failed', 'fields.publishedOn'],
    ['fields that are no object', { fields: 'x' }, 'validation_failed', 'fields'],
    ['a wrong locale', { locale: 'fr' }, 'validation_failed', 'locale'],
    ['a taken address', { slug: 'tides' }, 'slug_taken', undefined],
    ['a slug in capitals', { slug: 'Tides' }, 'validation_failed', 'slug'],
    ['a slug with a slash', { slug: 'a/b' }, 'validation_failed', 'slug'],
    ['a slug that climbs', { slug: '..' }, 'validation_failed', 'slug'],
    ['a slug in other letters', { slug: 'tіdes' }, 'validation_failed', 'slug'],
    ['a slug in punycode', { slug: 'xn--tdes-8ua' }, 'validation_failed', 'slug'],
    ['a taxonomy that is no slug', { terms: { 'a.b': ['x'] } }, 'validation_failed', 'terms.a.b'],
    ['terms that are no lists', { terms: { topics: 'sea' } }, 'validation_failed', 'terms.topics'],
    ['a rev', { rev: 1 }, 'validation_failed', 'rev'],
    ['a NUL in text', { fields: { title: 'a\u0000b' }, slug: 'nul' }, 'invalid_unicode', undefined],
  ])('refuses %s', async (_, args, code, path) => {
    const before = await site.check();
    const error = await site.refusal('create_entry', { type: 'article', fields: { title: 'New' }, ...args });
    expect(error).toMatchObject({ code, applied: 'no', ...(path && { details: { path } }) });
    expect((await site.check()).seq).toBe(before.seq);
  });
});

describe('update_entry', () => {
  it('merges fields and terms and leaves the rest', async () => {
    const { id } = await newArticle('Merge', { body: 'text', terms: { topics: ['a', 'b'] } });
    const result = await site.call('update_entry', {
      entry: id,
      rev: 1,
      set: { summary: 'S', seoTitle: 'T' },
      terms: { add: { topics: ['c'] }, remove: { topics: ['a'] } },
      note: 'why',
    });
    expect(result).toMatchObject({ rev: 2, changed: true });
    await site.call('update_entry', { entry: id, rev: 2, unset: ['seoTitle'] });
    expect(await site.data('get_entry', { entry: id })).toMatchObject({
      fields: { title: 'Merge', summary: 'S' },
      body: 'text',
      terms: { topics: ['b', 'c'] },
      rev: 3,
    });
  });

  it('takes a taxonomy named like a member of every object', async () => {
    const taxonomy = { op: 'create_taxonomy', taxonomy: 'constructor', set: { title: 'C' }, reason: 'r' };
    await site.call('propose_term', taxonomy);
    await site.addTerms('constructor', 'a', 'b');
    const { id } = await newArticle('Constructor', { terms: { constructor: ['a'] } });
    await site.call('update_entry', { entry: id, rev: 1, terms: { add: { constructor: ['b'] } } });
    expect((await site.data('get_entry', { entry: id })).terms).toEqual({ constructor: ['a', 'b'] });
  });

  it('repeated with the same rev is a conflict that says what changed and by whom', async () => {
    const { id } = await newArticle('Conflict');
    const args = { entry: id, rev: 1, set: { summary: 'x' } };
    await site.call('update_entry', args);
    expect(await site.refusal('update_entry', args)).toMatchObject({
      code: 'rev_conflict',
      details: { sent: 1, currentRev: 2, changedFields: ['fields.summary'], by: ['Ada'] },
    });
  });

  it('changes a slug only while readers do not know it', async () => {
    const { id } = await newArticle('Movable');
    expect(await site.data('update_entry', { entry: id, rev: 1, slug: 'moved' })).toMatchObject({
      path: '/articles/moved',
    });
    await site.publish(id);
    const error = await site.refusal('update_entry', { entry: id, rev: 2, slug: 'again' });
    expect(error).toMatchObject({ code: 'validation_failed', details: { path: 'slug' } });
    expect(await site.call('update_entry', { entry: id, rev: 2, slug: 'moved', set: { summary: 'x' } })).toMatchObject({
      rev: 3,
    });
  });

  it('by a person takes the mark of imported text away, by an agent it does not', async () => {
    const items = [{ slug: 'looked-at', frontmatter: { title: 'x' } }];
    const [{ id }] = (await site.data('import_entries', { type: 'article', items })).items;
    await site.call('update_entry', { entry: id, rev: 1, set: { summary: 'a' } });
    expect(await site.data('get_entry', { entry: id })).toHaveProperty('untrusted');
    await site.call('update_entry', { entry: id, rev: 2, set: { summary: 'b' } }, { kind: 'person', id: 'person:eve' });
    expect(await site.data('get_entry', { entry: id })).not.toHaveProperty('untrusted');
  });

  it.each([
    ['no rev', { rev: undefined }, 'validation_failed', 'rev'],
    ['a rev as text', { rev: '1' }, 'validation_failed', 'rev'],
    ['a rev of the future', { rev: 9 }, 'rev_conflict', undefined],
    ['an unknown field', { set: { colour: 'red' } }, 'validation_failed', 'set.colour'],
    ['a wrong type', { set: { title: 5 } }, 'validation_failed', 'set.title'],
    ['removing what must be there', { unset: ['title'] }, 'validation_failed', 'set.title'],
    ['removing what is not there', { unset: ['summary'] }, 'validation_failed', 'unset.summary'],
    ['setting and removing', { set: { summary: 'x' }, unset: ['summary'] }, 'validation_failed', 'unset.summary'],
    ['terms with a number', { terms: { add: { topics: [1] } } }, 'validation_failed', 'terms.topics[0]'],
    ['the type', { type: 'page' }, 'validation_failed', 'type'],
    ['an unknown entry', { entry: 'en_none' }, 'not_found', undefined],
  ])('refuses %s', async (name, args, code, path) => {
    const { id } = await newArticle(name, { slug: `bad-${Math.random().toString(36).slice(2)}` });
    const error = await site.refusal('update_entry', JSON.parse(JSON.stringify({ entry: id, rev: 1, ...args })));
    expect(error).toMatchObject({ code, applied: 'no', ...(path && { details: { path } }) });
    expect((await site.data('get_entry', { entry: id })).rev).toBe(1);
  });
});

describe('delete_entry', () => {
  it('moves a draft to the trash, where it is listed', async () => {
    const { id } = await newArticle('Trash');
    expect(await site.call('delete_entry', { entry: id, rev: 1 })).toMatchObject({ changed: true, rev: 2 });
    expect(await site.refusal('get_entry', { entry: id })).toMatchObject({ code: 'not_found' });
    const { entries } = await site.data('list_entries', { type: 'article', status: 'trash' });
    expect(entries.map((entry: { id: string }) => entry.id)).toContain(id);
  });

  it('is refused while readers see it, unless it is also unpublished', async () => {
    const { id } = await newArticle('Live');
    await site.publish(id);
    expect(await site.refusal('delete_entry', { entry: id, rev: 1 })).toMatchObject({ code: 'in_use' });
    await site.call('delete_entry', { entry: id, rev: 1, unpublish: true });
    expect(await site.refusal('get_entry', { entry: id, view: 'live' })).toMatchObject({ code: 'not_found' });
  });

  it('is refused while others link to it, and says which', async () => {
    const { id, path } = await newArticle('Linked');
    const linking = await newArticle('Linking', { body: `See [this](${path}).` });
    const error = await site.refusal('delete_entry', { entry: id, rev: 1 });
    expect(error).toMatchObject({ code: 'in_use', details: { by: [`entry ${linking.id} "Linking"`] } });
    const result = await site.call('delete_entry', { entry: id, rev: 1, onInboundLinks: 'allow' });
    expect(result.warnings).toEqual([`A link breaks in entry ${linking.id} "Linking".`]);
  });

  it.each([
    ['no rev', { rev: undefined }, 'validation_failed'],
    ['a stale rev', { rev: 4 }, 'rev_conflict'],
    ['an unknown entry', { entry: 'en_none' }, 'not_found'],
    ['a page', { entry: 'pg_none' }, 'not_found'],
    ['an unknown choice', { onInboundLinks: 'fix' }, 'validation_failed'],
  ])('refuses %s', async (name, args, code) => {
    const { id } = await newArticle(name, { slug: `d-${Math.random().toString(36).slice(2)}` });
    const error = await site.refusal('delete_entry', JSON.parse(JSON.stringify({ entry: id, rev: 1, ...args })));
    expect(error).toMatchObject({ code, applied: 'no' });
  });
});

describe('a slug', () => {
  it('that changes while its entry goes live stays as readers know it', async () => {
    const { id } = await site.data('create_entry', { type: 'article', slug: 'early', fields: { title: 'Early' } });
    const { expectDraft } = await site.data('get_publish_plan', { what: { nodes: [id] } });
    site.deps.at = async (moment) => {
      if (moment !== 'committing') return;
      delete site.deps.at;
      await site.call('publish', { what: { nodes: [id] }, expectDraft });
    };
    const refused = await site.refusal('update_entry', { entry: id, rev: 1, slug: 'late' });
    expect(refused).toMatchObject({ code: 'validation_failed', details: { path: 'slug' } });
    expect(await site.data('get_entry', { entry: id })).toMatchObject({ slug: 'early', status: 'published' });
  });
});

describe('an asset', () => {
  it('that goes to the trash while an entry comes to show it is not shown', async () => {
    const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { id: asset } = await site.data('upload_asset', { filename: 'p.png', base64, alt: 'A.' });
    const { id } = await site.data('create_entry', { type: 'article', slug: 'shows', fields: { title: 'Shows' } });
    site.deps.at = async (moment) => {
      if (moment !== 'committing') return;
      delete site.deps.at;
      await site.call('delete_asset', { asset, rev: 1 });
    };
    const refused = await site.refusal('update_entry', { entry: id, rev: 1, body: `![x](asset:${asset})` });
    expect(refused).toMatchObject({ code: 'validation_failed', details: { path: 'body' } });
  });
});
