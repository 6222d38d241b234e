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

const bring = (items: object[], more: Record<string, unknown> = {}) =>
  site.call('import_entries', { type: 'article', items, ...more });

describe('import_entries', () => {
  it('makes all of them in one snapshot, and reports on each', async () => {
    const before = await site.check();
    const result = await bring([
      {
        slug: 'posts/Hello World.md',
        frontmatter: { title: 'Hello', date: '2024-03-05T10:00:00Z', tags: ['a'], description: 'Hi.' },
        body: 'Text.',
      },
      {
        slug: 'second',
        frontmatter: { title: 'Second', seo_title: 'Two', publishedOn: '2024-01-01', date: '2020-01-01' },
      },
    ]);
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(result).toMatchObject({ changed: true, data: { created: 2, skipped: 0, failed: 0 } });
    const [first, second] = (result.data as { items: { id: string; warnings: string[] }[] }).items;
    expect(first).toMatchObject({ index: 0, slug: 'hello-world', status: 'created' });
    expect(first!.warnings.join('\n')).toMatch(/slug was made from "posts\/Hello World.md"/);
    expect(first!.warnings.join('\n')).toMatch(/"a" is no term here; propose_term makes one/);
    expect(first!.warnings.join('\n')).toMatch(/"date" was shortened to its date/);
    expect(second!.warnings.join('\n')).toMatch(/"date" was left out: publishedOn is already given/);
    const stored = await site.data('get_entry', { entry: first!.id });
    expect(stored.untrusted[0].fields).toEqual({ title: 'Hello', publishedOn: '2024-03-05', summary: 'Hi.' });
    const other = await site.data('get_entry', { entry: second!.id });
    expect(other.untrusted[0].fields).toEqual({ title: 'Second', seoTitle: 'Two', publishedOn: '2024-01-01' });
  });

  it('names the people and terms that are there, and says who and what is not', async () => {
    const { data } = await site.change(async (draft) => {
      const person = await draft.create('person', { name: 'Ada Lovelace', slug: 'ada-lovelace' });
      const [topics] = (await draft.list({ kind: 'taxonomy' })).items;
      const taxonomy = topics?.body.name ?? 'topics';
      if (!topics)
        await draft.create('taxonomy', { name: taxonomy, title: 'Topics', hierarchical: true, locale: 'en' });
      await draft.create('term', { taxonomy, slug: 'boats', label: 'Boats', locale: 'en' });
      return { person: person.id, taxonomy };
    });
    const { person, taxonomy } = data as { person: string; taxonomy: string };
    const frontmatter = { title: 'Named', author: 'Ada Lovelace', tags: ['Boats', 'Tides'], authors: [{ name: 'Bo' }] };
    const result = await bring([{ slug: 'named', frontmatter }]);
    const [item] = (result.data as { items: { id: string; warnings: string[] }[] }).items;
    expect(item!.warnings).toEqual([
      '"Tides" is no term here; propose_term makes one.',
      '"Bo" has no record as a person here; propose_person makes one.',
    ]);
    const { body } = await site.view().get('entry', item!.id);
    expect(body).toMatchObject({ bylines: [person], terms: { [taxonomy]: ['boats'] }, untrusted: true });
  });

  it('with one bad document makes none and says what is wrong with each', async () => {
    const before = await site.check();
    const items = [
      { slug: 'good', frontmatter: { title: 'Good' } },
      { slug: 'untitled', frontmatter: {} },
      { slug: 'good', frontmatter: { title: 'Again' } },
      { slug: '☃', frontmatter: { title: 'Snow' } },
    ];
    const error = await site.refusal('import_entries', { type: 'article', items });
    expect(error).toMatchObject({ code: 'validation_failed', applied: 'no' });
    expect((error.details!.items as { status: string }[]).map((item) => item.status)).toEqual([
      'created',
      'failed',
      'failed',
      'failed',
    ]);
    expect((await site.check()).seq).toBe(before.seq);
  });

  it('as a dry run reports, also on what fails, and stores nothing', async () => {
    const before = await site.check();
    const result = await bring(
      [
        { slug: 'dry', frontmatter: { title: 'Dry' } },
        { slug: 'bad', frontmatter: {} },
      ],
      { dryRun: true },
    );
    expect(result).toMatchObject({ changed: false, data: { created: 1, failed: 1 } });
    expect((await site.check()).seq).toBe(before.seq);
  });

  it('leaves what is there as it is, when asked to skip', async () => {
    const there = await site.data('create_entry', { type: 'article', fields: { title: 'There' } });
    const items = [{ slug: 'there', frontmatter: { title: 'Other' } }];
    expect(await site.refusal('import_entries', { type: 'article', items })).toMatchObject({
      code: 'validation_failed',
    });
    const result = await bring(items, { onExisting: 'skip' });
    expect(result).toMatchObject({ changed: false, data: { created: 0, skipped: 1, items: [{ id: there.id }] } });
    expect((await bring(items, { locale: 'de' })).data).toMatchObject({ created: 1 });
  });

  it.each([
    [
      'more than 50',
      { items: Array.from({ length: 51 }, (_, i) => ({ slug: `s${i}`, frontmatter: {} })) },
      'validation_failed',
    ],
    ['none', { items: [] }, 'validation_failed'],
    [
      'more than 400 KiB',
      { items: [1, 2].map((i) => ({ slug: `s${i}`, frontmatter: { title: 'x' }, body: 'x'.repeat(250_000) })) },
      'limit_exceeded',
    ],
    ['an unknown type', { type: 'novel' }, 'validation_failed'],
    ['a wrong locale', { locale: 'fr' }, 'validation_failed'],
    ['front matter as text', { items: [{ slug: 's', frontmatter: 'title: x' }] }, 'validation_failed'],
  ])('refuses %s', async (_, args, code) => {
    const all = { type: 'article', items: [{ slug: 's', frontmatter: { title: 'x' } }], ...args };
    expect(await site.refusal('import_entries', all)).toMatchObject({ code, applied: 'no' });
  });
});
