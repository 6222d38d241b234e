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

const newPage = (path: string, more: Record<string, unknown> = {}) =>
  site.data('create_page', { title: path, path, ...more });
const pathOf = async (page: string) => (await site.data('get_page', { page })).path;

describe('move_page', () => {
  it('moves the pages below along, as one snapshot', async () => {
    const old = await newPage('/old');
    const child = await newPage('/old/child');
    const deep = await newPage('/old/child/deep');
    await newPage('/older');
    const to = await newPage('/to');
    const before = await site.check();
    const result = await site.call('move_page', { page: '/old', rev: 1, parent: '/to', slug: 'new' });
    expect(result).toMatchObject({ changed: true, rev: 2, data: { id: old.id, path: '/to/new', parent: to.id } });
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await pathOf(child.id)).toBe('/to/new/child');
    expect(await pathOf(deep.id)).toBe('/to/new/child/deep');
    expect(await pathOf('/older')).toBe('/older');
    expect(await site.data('move_page', { page: old.id, rev: 2, parent: '/' })).toMatchObject({ path: '/new' });
    expect(await site.data('get_page', { page: old.id })).not.toHaveProperty('parent');
  });

  it('of a page that readers know leads them on', async () => {
    const { id } = await newPage('/known');
    await site.publish(id);
    const { redirects } = await site.data('move_page', { page: id, rev: 1, slug: 'unknown' });
    expect(redirects).toMatchObject([{ from: '/known', to: '/unknown', status: 301 }]);
  });

  it('needs a person exactly where readers know an address that changes', async () => {
    const above = await newPage('/above');
    const known = await newPage('/above/known');
    const fresh = await newPage('/fresh');
    await site.publish(known.id);
    const effect = async (page: string, slug: string) =>
      (await site.assess('move_page', { page, rev: 1, slug })).effect;
    expect(await effect(above.id, 'beyond')).toBe('person');
    expect(await effect(fresh.id, 'fresher')).toBe('edit');
  });

  it.each([
    ['under itself', { parent: '/cycle' }, 'validation_failed', 'parent'],
    ['under a page below it', { parent: '/cycle/in' }, 'validation_failed', 'parent'],
    ['to a reserved word', { slug: 'admin' }, 'validation_failed', 'slug'],
    ['to a taken address', { slug: 'taken' }, 'slug_taken', undefined],
    ['to another locale', { parent: '/deutsch' }, 'validation_failed', 'parent'],
    ['to nowhere', { parent: '/nowhere' }, 'not_found', undefined],
    ['with a stale rev', { rev: 5, slug: 'x' }, 'rev_conflict', undefined],
  ])('is refused %s', async (name, args, code, path) => {
    if (name === 'under itself') {
      await newPage('/cycle');
      await newPage('/cycle/in');
      await newPage('/taken');
      await newPage('/deutsch', { locale: 'de' });
    }
    const error = await site.refusal('move_page', { page: '/cycle', rev: 1, ...args });
    expect(error).toMatchObject({ code, ...(path && { details: { path } }) });
    expect(await pathOf('/cycle/in')).toBe('/cycle/in');
  });

  it('is refused where a page below would lie too deep', async () => {
    await newPage('/d1');
    for (let depth = 2; depth <= 9; depth++) {
      await newPage(Array.from({ length: depth }, (_, i) => `/d${i + 1}`).join(''));
    }
    await newPage('/e1');
    await newPage('/e1/e2');
    expect(await site.refusal('move_page', { page: '/d1', rev: 1, parent: '/e1/e2' })).toMatchObject({
      code: 'limit_exceeded',
    });
  });
});

describe('delete_page', () => {
  it('moves a page to the trash, and restore_node brings it back where its parent is now', async () => {
    await newPage('/shelf');
    const { id } = await newPage('/shelf/book');
    await site.call('delete_page', { page: id, rev: 1 });
    expect(await site.refusal('get_page', { page: id })).toMatchObject({ code: 'not_found' });
    await site.call('move_page', { page: '/shelf', rev: 1, slug: 'rack' });
    expect(await site.data('restore_node', { node: id, from: 'trash' })).toMatchObject({ path: '/rack/book', rev: 3 });
  });

  it('is refused while it has pages under it, links to it, or readers', async () => {
    const parent = await newPage('/parent');
    await newPage('/parent/child');
    expect(await site.refusal('delete_page', { page: parent.id, rev: 1, onInboundLinks: 'allow' })).toMatchObject({
      code: 'in_use',
      details: { by: ['its page /parent/child'] },
    });
    const target = await newPage('/target');
    const sections = [{ type: 'call_to_action', props: { text: 'x', link: { label: 'x', href: '/target#part' } } }];
    await newPage('/linking', { sections });
    expect(await site.refusal('delete_page', { page: target.id, rev: 1 })).toMatchObject({ code: 'in_use' });
    await site.publish(target.id);
    expect(await site.refusal('delete_page', { page: target.id, rev: 1, onInboundLinks: 'allow' })).toMatchObject({
      code: 'in_use',
      message: expect.stringContaining('the live site'),
    });
  });
});

describe('sections', () => {
  it('are moved and removed by id', async () => {
    const hero = (heading: string) => ({ type: 'hero', props: { heading } });
    const { id } = await newPage('/sections', { sections: ['a', 'b', 'c'].map(hero) });
    const [a, b, c] = (await site.data('get_page', { page: id })).sections.map((section: { id: string }) => section.id);
    const order = async () =>
      (await site.data('get_page', { page: id })).sections.map((section: { id: string }) => section.id);
    await site.call('move_section', { page: id, rev: 1, section: c, position: { before: a } });
    expect(await order()).toEqual([c, a, b]);
    await site.call('move_section', { page: id, rev: 2, section: c, position: { index: 2 } });
    expect(await order()).toEqual([a, b, c]);
    const still = await site.call('move_section', { page: id, rev: 3, section: b, position: { after: b } });
    expect(still.changed).toBe(false);
    await site.call('remove_section', { page: id, rev: 3, section: b });
    expect(await order()).toEqual([a, c]);
    expect(await site.refusal('remove_section', { page: id, rev: 4, section: b })).toMatchObject({ code: 'not_found' });
    expect(await site.refusal('move_section', { page: id, rev: 4, section: b, position: {} })).toMatchObject({
      code: 'not_found',
    });
    expect(await site.refusal('remove_section', { page: id, section: a })).toMatchObject({ details: { path: 'rev' } });
  });
});
