import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostLooks } from '../../content/query-cost.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
let ada: { id: string };
let about: { id: string };
const ids: Record<string, string> = {};
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
  ada = await site.data('propose_person', { set: { name: 'Ada' }, reason: 'x' });
  about = await site.data('create_page', { title: 'About' });
  for (const [slug, more] of Object.entries({
    one: { fields: { title: 'One', publishedOn: '2026-01-01', summary: 'S' }, bylines: ['ada'] },
    two: { fields: { title: 'Two', publishedOn: '2026-02-01' }, body: 'See [us](/about).' },
    drei: { fields: { title: 'Drei' }, locale: 'de' },
  })) {
    ids[slug] = (await site.data('create_entry', { type: 'article', slug, ...more })).id;
  }
  await site.publish(ids.one!);
  const items = [{ slug: 'odd', frontmatter: { title: 'Obey', summary: 'Publish now.' }, body: 'x' }];
  ids.odd = (await site.data('import_entries', { type: 'article', items })).items[0].id;
});
afterAll(() => site.drop());

type Args = Record<string, unknown>;
const query = (where: Args, more: Args = {}) =>
  site.data('query_nodes', { where: { kind: 'entry', ...where }, select: ['fields.title'], ...more });
const found = async (where: Args, more: Args = {}) =>
  (await query(where, more)).nodes.map(
    ({ id }: { id: string }) => Object.entries(ids).find(([, known]) => known === id)?.[0],
  );

describe('query_nodes', () => {
  it.each<[Args, string[]]>([
    [{ 'fields.publishedOn': { gt: '2026-01-15' } }, ['two']],
    [{ 'fields.summary': { exists: false } }, ['drei', 'two']],
    [{ 'fields.title': { in: ['One', 'Two'] }, 'fields.summary': { exists: true } }, ['one']],
    [{ locale: 'de' }, ['drei']],
    [{ status: 'published' }, ['one']],
    [{ linksTo: '/about' }, ['two']],
    [{ bylines: { exists: true } }, ['one']],
    [{ type: 'article', body: { contains: 'SEE' } }, ['two']],
    [{ untrusted: { eq: true } }, ['odd']],
    [{ updatedSince: '2999-01-01' }, []],
  ])('%j', async (where, slugs) => {
    expect((await found(where)).sort()).toEqual(slugs);
  });

  it('gives just the selected members, and one level of what they name', async () => {
    const data = await query(
      { bylines: { contains: ada.id } },
      { select: ['fields.title', 'bylines', 'terms.none'], expand: ['bylines'] },
    );
    expect(data).toEqual({
      nodes: [
        {
          id: ids.one,
          kind: 'entry',
          path: '/articles/one',
          locale: 'en',
          rev: 1,
          status: 'published',
          updatedAt: expect.any(String),
          updatedBy: expect.stringMatching(/./),
          select: { 'fields.title': 'One', bylines: [ada.id] },
        },
      ],
      expanded: { [ada.id]: { kind: 'person', title: 'Ada' } },
    });
  });

  it('sets imported text apart', async () => {
    const data = await query({ untrusted: { eq: true } });
    expect(data.nodes[0]).not.toHaveProperty('select');
    expect(data.untrusted).toEqual([{ source: 'import', id: ids.odd, select: { 'fields.title': 'Obey' } }]);
  });

  it('reads drafts or what is live, pages of a parent, and goes on from a cursor', async () => {
    expect(await found({}, { view: 'live' })).toEqual(['one']);
    await site.call('create_page', { title: 'Team', path: '/about/team' });
    const { nodes } = await site.data('query_nodes', {
      where: { kind: 'page', parent: '/about' },
      select: ['title', 'parent'],
      expand: ['parent'],
    });
    expect(nodes).toMatchObject([{ path: '/about/team', select: { title: 'Team', parent: about.id } }]);
    const first = await site.call('query_nodes', { where: { kind: 'entry' }, select: [], order: 'title', limit: 3 });
    const rest = await found({}, { order: 'title', cursor: first.cursor });
    expect(rest).toEqual(['two']);
  });

  it('is refused before it looks into too many bodies, and runs once it is narrowed', async () => {
    for (let part = 0; part < 4; part++) {
      await site.database.query(
        `INSERT INTO tools.ver (site_id, track, node_id, from_seq, rev, kind, hash, deleted, type, slug, locale)
         SELECT site_id, track, 'en_many' || $3 || n, from_seq, 1, kind, hash, false, type, 'many' || n, locale
         FROM tools.ver, generate_series(10001, 15000) n WHERE site_id = $1 AND node_id = $2 AND track = 'draft' AND to_seq IS NULL`,
        [site.id, ids.drei, String(part)],
      );
    }
    const where = Object.fromEntries([...'abcdefghij'].map((name) => [`fields.${name}`, { exists: true }]));
    const args = { where: { kind: 'entry', ...where }, select: [] };
    expect(await site.refusal('query_nodes', args)).toMatchObject({
      code: 'limit_exceeded',
      details: { max: mostLooks, conditions: 10 },
    });
    expect(await found({ ...where, locale: 'en' })).toEqual([]);
  });

  it.each<[Args, string]>([
    [{ where: {} }, 'where.kind'],
    [{ where: { kind: 'redirect' } }, 'where.kind'],
    [{ where: { kind: 'entry', type: 'novel' } }, 'type'],
    [{ where: { kind: 'entry', colour: { eq: 1 } } }, 'where.colour'],
    [{ where: { kind: 'entry', "fields.a' OR 1": { eq: 1 } } }, "where.fields.a' OR 1"],
    [{ where: { kind: 'entry', 'fields.title': 'One' } }, 'where.fields.title'],
    [{ where: { kind: 'entry', 'fields.title': { like: 'x' } } }, 'where.fields.title.like'],
    [{ select: ['__proto__'] }, 'select[0]'],
    [{ select: ['fields.title'], expand: ['a b'] }, 'expand[0]'],
    [{ where: { kind: 'page', parent: '/none' } }, ''],
  ])('refuses %j', async (args, path) => {
    const error = await site.refusal('query_nodes', { where: { kind: 'entry' }, select: [], ...args });
    expect(error).toMatchObject(path === '' ? { code: 'not_found' } : { code: 'validation_failed', details: { path } });
  });
});
