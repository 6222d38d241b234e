import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage } from '../../site/site-page.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
let ada: { id: string; rev: number };
const reason = 'She agreed to it.';
beforeAll(async () => {
  site = await openToolSite();
  const set = { name: 'Ada Byron', role: 'Reporter', url: 'https://ada.example/' };
  ada = await site.data('propose_person', { set, reason });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const article = (title: string, more: object = {}) =>
  site.data('create_entry', { type: 'article', fields: { title }, ...more });
const served = (path: string) => servePage(site.database, { site: 'example', path, basePath: '' });

describe('people', () => {
  it('are made public by one snapshot, which always takes a person', async () => {
    const { seq } = await site.check();
    const args = { set: { name: 'Grace Hopper', bio: 'Writes about ships.' }, reason };
    expect(await site.assess('propose_person', args)).toMatchObject({
      effect: 'person',
      summary: { lines: expect.arrayContaining(['name: "Grace Hopper"', 'bio: "Writes about ships."']) },
    });
    const { id } = await site.data('propose_person', args);
    expect((await site.check()).seq).toBe(seq + 1);
    const { people } = await site.data('list_people');
    expect(people.map(({ name }: { name: string }) => name)).toEqual(['Ada Byron', 'Grace Hopper']);
    expect(people[1]).toEqual({
      id,
      rev: 1,
      name: 'Grace Hopper',
      slug: 'grace-hopper',
      bio: 'Writes about ships.',
      status: 'published',
    });
  });

  it('are changed by rev, what is approved is bound to what it changes, and a rollback to before takes a person', async () => {
    const { id, rev } = await site.data('propose_person', { set: { name: 'Joan', bio: 'Old.' }, reason });
    const { liveSnapshot } = await site.data('get_site');
    const args = { person: 'joan', rev, set: { role: 'Editor' }, unset: ['bio'], reason };
    expect((await site.assess('propose_person', args)).base.diff).toMatch(/^[0-9a-f]{64}$/);
    await site.call('propose_person', args);
    expect(await site.refusal('propose_person', args)).toMatchObject({ code: 'rev_conflict' });
    expect((await site.view().node(id, { track: 'live' })).body).toEqual({
      name: 'Joan',
      slug: 'joan',
      role: 'Editor',
    });
    const back = {
      snapshot: liveSnapshot,
      track: 'both',
      expectLive: (await site.data('get_site')).liveSnapshot,
      reason: 'Back.',
    };
    expect(await site.assess('rollback', back)).toMatchObject({ effect: 'person' });
    await site.call('rollback', back);
    expect((await site.view().node(id, { track: 'live' })).body).toMatchObject({ bio: 'Old.' });
  });

  it.each([
    [{ set: {} }, 'set.name'],
    [{ set: { name: '' } }, 'set.name'],
    [{ set: { name: 'X', email: 'x@example.org' } }, 'set.email'],
    [{ set: { name: 'X', url: 'javascript:alert(1)' } }, 'set.url'],
    [{ set: { name: 'X', slug: 'Not A Slug' } }, 'set.slug'],
    [{ set: { name: '‮' } }, 'set.slug'],
    [{ person: 'ada-byron', set: { role: 'X' } }, 'rev'],
    [{ rev: 1, set: { name: 'X' } }, 'rev'],
    [{ person: 'ada-byron', rev: 1, set: { role: 'X' }, unset: ['role'] }, 'unset'],
    [{ person: 'ada-byron', rev: 1, set: {}, unset: ['name'] }, 'unset[0]'],
  ])('refuses %j', async (args, path) => {
    expect(await site.refusal('propose_person', { ...args, reason })).toMatchObject({
      code: 'validation_failed',
      details: { path },
    });
  });

  it('do not share a slug', async () => {
    expect(await site.refusal('propose_person', { set: { name: 'Ada Byron' }, reason })).toMatchObject({
      code: 'slug_taken',
      details: { by: ada.id },
    });
  });
});

describe('a byline', () => {
  it('names people by id or slug, is a backlink, and is shown to readers once both are live', async () => {
    const { id } = await article('Signed', { bylines: ['ada-byron'] });
    expect((await site.data('get_entry', { entry: id })).bylines).toEqual([ada.id]);
    const { backlinks } = await site.data('get_backlinks', { node: ada.id });
    expect(backlinks).toContainEqual(expect.objectContaining({ source: id, role: 'byline' }));
    await site.publish(id);
    expect((await served('/articles/signed')).html).toContain('<a href="https://ada.example/"');

    await site.call('unpublish', { items: [{ node: ada.id, rev: ada.rev }] });
    const { html } = await served('/articles/signed');
    expect(html).not.toContain('Ada');
    expect(html).not.toContain(ada.id);
    await site.call('update_entry', { entry: id, rev: 1, set: { summary: 'New.' } });
    const plan = await site.data('get_publish_plan', { what: { nodes: [id] } });
    expect(plan.problems).toEqual([`"Signed" names ${ada.id}, which is not live.`]);
    await site.publish(ada.id);
  });

  it('is replaced as a whole, and taken away by an empty list', async () => {
    const { id } = await article('Passed on', { bylines: [ada.id] });
    await site.call('update_entry', { entry: id, rev: 1, bylines: ['grace-hopper', 'ada-byron'] });
    expect((await site.data('get_entry', { entry: id })).bylines).toHaveLength(2);
    await site.call('update_entry', { entry: id, rev: 2, set: { summary: 'Kept.' } });
    expect((await site.data('get_entry', { entry: id })).bylines).toHaveLength(2);
    await site.call('update_entry', { entry: id, rev: 3, bylines: [] });
    expect(await site.data('get_entry', { entry: id })).not.toHaveProperty('bylines');
  });

  it.each(['Ada Byron', 'pe_1', 'nobody', '/articles/signed', "'; --"])('refuses %j', async (name) => {
    expect(
      await site.refusal('create_entry', { type: 'article', fields: { title: 'X' }, bylines: [name] }),
    ).toMatchObject({ code: 'validation_failed', details: { path: 'bylines[0]' } });
  });
});
