import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage } from '../site/site-page.ts';
import { openToolSite, type ToolSite } from '../tools/testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const reason = 'Because.';
const head = async () => (await site.view().head()).snapshot;
const leads = async (path: string) => {
  const { status, location } = await servePage(site.database, { site: 'example', path, basePath: '' });
  return location === undefined ? [status] : [status, location];
};
const publish = async (...nodes: string[]) => site.data('publish', { what: { nodes }, expectDraft: await head() });
let made = 0;
const article = (more: object = {}) => {
  made++;
  return site.data('create_entry', { type: 'article', slug: `a-${made}`, fields: { title: `A ${made}` }, ...more });
};
const page = (slug: string, more: object = {}) => site.data('create_page', { slug, title: slug, ...more });
const type = (name: string, ops: object[], rev?: number) =>
  site.data('propose_content_type', {
    type: name,
    ops,
    reason,
    ...(rev === undefined ? { title: name } : { rev }),
  });
const place = { op: 'add', field: 'place', schema: { type: 'string' } };
const term = (label: string) => site.data('propose_term', { op: 'create', taxonomy: 'topics', set: { label }, reason });
const refused = (snapshot: string) => site.refusal('undo_change', { snapshot });

describe('an address that readers know', () => {
  it('leads on where the move of a page is undone after it went live, by a person', async () => {
    const { id } = await page('m1');
    await site.data('move_page', { page: id, rev: 1, slug: 'm2' });
    const snapshot = await head();
    await publish(id);
    expect((await site.assess('undo_change', { snapshot })).effect).toBe('person');
    await site.data('undo_change', { snapshot });
    await publish(id);
    expect(await leads('/m2')).toEqual([301, '/m1']);
    expect(await leads('/m1')).toEqual([200]);
  });

  it('stays with an entry, whether its slug is undone or restored', async () => {
    const { id } = await article();
    const first = await head();
    await site.data('update_entry', { entry: id, rev: 1, slug: 'fresh' });
    const second = await head();
    await publish(id);
    const known = { code: 'validation_failed', details: { path: 'slug' } };
    expect(await refused(second)).toMatchObject(known);
    const args = { node: id, from: 'snapshot', snapshot: first, rev: 2 };
    expect(await site.refusal('restore_node', args)).toMatchObject(known);
  });

  it('is a problem of a publish that leaves it without a redirect', async () => {
    const { id } = await article({ slug: 'known' });
    const before = await head();
    await site.data('update_entry', { entry: id, rev: 1, slug: 'later' });
    await publish(id);
    await site.data('rollback', { snapshot: before, track: 'draft', reason });
    const { problems } = await site.assess('publish', { what: { nodes: [id] }, expectDraft: await head() });
    expect(problems).toEqual([expect.stringContaining('"/articles/later", and nothing leads readers on')]);
  });
});

describe('what other things rely on by now', () => {
  it('is not undone: a page with others under it, the home page, and what is live', async () => {
    await page('above');
    const above = await head();
    await page('under', { parent: '/above' });
    expect(await refused(above)).toMatchObject({ code: 'in_use', details: { by: ['its page /above/under'] } });

    const home = await page('home');
    const snapshot = await head();
    const { rev } = await site.data('get_site', {});
    await site.data('update_site', { rev, set: { homePage: home.id } });
    expect(await refused(snapshot)).toMatchObject({ code: 'in_use' });

    const { id } = await article();
    const entry = await head();
    await publish(id);
    expect(await refused(entry)).toMatchObject({ code: 'in_use' });
  });

  it('is not undone: a move with later pages below', async () => {
    const { id } = await page('q6');
    await site.data('move_page', { page: id, rev: 1, slug: 'r6' });
    const snapshot = await head();
    const child = await page('n', { parent: '/r6' });
    expect(await refused(snapshot)).toMatchObject({
      code: 'undo_conflict',
      details: { nodes: [`${child.id} (path)`] },
    });
  });

  it('is not undone: a term, a person and an original', async () => {
    await term('Sea');
    const sea = await head();
    const entry = await article({ terms: { topics: ['sea'] } });
    expect(await refused(sea)).toMatchObject({ code: 'in_use', details: { by: [`entry ${entry.id}`] } });

    const { id } = await site.data('propose_person', { set: { name: 'Bo' }, reason });
    const person = await head();
    await article({ bylines: [id] });
    expect(await refused(person)).toMatchObject({ code: 'in_use' });

    const original = await article();
    const snapshot = await head();
    const fields = { title: 'DE' };
    await site.data('save_translation', { node: original.id, locale: 'de', rev: 0, sourceRev: 1, fields });
    expect(await refused(snapshot)).toMatchObject({ code: 'in_use' });
  });

  it('is not undone or restored: a type that later entries would not fit', async () => {
    const { rev } = await type('gig', []);
    const plain = await head();
    await type('gig', [place], rev);
    const snapshot = await head();
    const { id } = await site.data('create_entry', { type: 'gig', fields: { title: 'G', place: 'Bar' } });
    const misfit = { code: 'in_use', details: { by: [expect.stringContaining(id)] } };
    expect(await refused(snapshot)).toMatchObject(misfit);
    const gig = (await site.view().find('content_type', 'gig'))!;
    const args = { node: gig.id, from: 'snapshot', snapshot: plain, rev: gig.rev };
    expect(await site.refusal('restore_node', args)).toMatchObject(misfit);
  });

  it('is not undone: a language that something is written in', async () => {
    const { rev } = await site.data('get_site');
    await site.data('update_site', { rev, set: { addLocales: ['fr'] } });
    const added = await head();
    const original = await article();
    const french = { node: original.id, locale: 'fr', sourceRev: 1, fields: { title: 'Un' } };
    await site.data('save_translation', { ...french, rev: 0 });
    expect(await refused(added)).toMatchObject({ code: 'in_use' });
    await site.data('delete_translation', { node: original.id, locale: 'fr', rev: 1 });
    await site.data('undo_change', { snapshot: added });
    expect((await site.data('get_site')).locales).toEqual(['en', 'de']);
  });

  it('is not undone: a redirect that another one leads to by now', async () => {
    await site.data('add_redirect', { items: [{ from: '/q1', to: '/articles' }], reason });
    const [redirect] = (await site.data('list_redirects', { from: '/q1' })).redirects;
    await site.data('delete_redirect', { items: [{ redirect: redirect.id, rev: redirect.rev }] });
    const snapshot = await head();
    await site.data('add_redirect', { items: [{ from: '/q2', to: '/q1' }], reason });
    expect(await refused(snapshot)).toMatchObject({ code: 'redirect_loop' });
    const args = { node: redirect.id, from: 'trash' };
    expect(await site.refusal('restore_node', args)).toMatchObject({ code: 'redirect_loop' });
  });
});

describe('restore_node', () => {
  it('refuses an entry that its type does not fit any more, and one whose term is gone', async () => {
    const { rev } = await type('gag', [place]);
    const { id } = await site.data('create_entry', { type: 'gag', fields: { title: 'G', place: 'Bar' } });
    await site.data('delete_entry', { entry: id, rev: 1 });
    await type('gag', [{ op: 'remove', field: 'place' }], rev);
    expect(await site.refusal('restore_node', { node: id, from: 'trash' })).toMatchObject({
      code: 'validation_failed',
    });

    const wood = await term('Wood');
    const entry = await article({ terms: { topics: ['wood'] } });
    await site.data('delete_entry', { entry: entry.id, rev: 1 });
    await site.data('propose_term', { op: 'delete', taxonomy: 'topics', term: 'wood', rev: wood.rev, reason });
    expect(await site.refusal('restore_node', { node: entry.id, from: 'trash' })).toMatchObject({
      code: 'validation_failed',
      details: { expected: expect.stringContaining('/topics/wood') },
    });
  });

  it('of a term under its old slug takes the entries along', async () => {
    const { id } = await term('Land');
    const snapshot = await head();
    const entry = await article({ terms: { topics: ['land'] } });
    const { rev } = await site.data('propose_term', {
      op: 'rename',
      taxonomy: 'topics',
      term: 'land',
      set: { slug: 'soil' },
      reason,
    });
    await site.data('restore_node', { node: id, from: 'snapshot', snapshot, rev });
    expect((await site.data('get_entry', { entry: entry.id })).terms).toEqual({ topics: ['land'] });
  });
});

it('a rollback that is undone brings back what was only in the trash', async () => {
  const before = await head();
  const { id } = await article();
  await site.data('delete_entry', { entry: id, rev: 1 });
  await site.data('rollback', { snapshot: before, track: 'draft', reason });
  await site.data('undo_change', { snapshot: await head() });
  await site.data('restore_node', { node: id, from: 'trash' });
  expect(await site.data('get_entry', { entry: id })).toMatchObject({ status: 'draft' });
});

it('what is live and has no draft is taken off the live site by the rev that is live', async () => {
  const before = await head();
  const { id, rev } = await article({ slug: 'alone' });
  await publish(id);
  await site.data('rollback', { snapshot: before, track: 'draft', reason });
  const stale = { items: [{ node: id, rev: rev + 1 }] };
  expect(await site.refusal('unpublish', stale)).toMatchObject({ code: 'rev_conflict' });
  await site.data('unpublish', { items: [{ node: id, rev }] });
  expect(await leads('/articles/alone')).toEqual([404]);
});

it('the redirect of an unpublished page stays when the page is deleted and all is published', async () => {
  const { id, rev } = await page('gone');
  const target = await page('target');
  await publish(id, target.id);
  await site.data('unpublish', { items: [{ node: id, rev }], redirect: '/target' });
  await site.data('delete_page', { page: id, rev });
  await site.data('publish', { what: { all: true }, expectDraft: await head() });
  expect(await leads('/gone')).toEqual([301, '/target']);
});
