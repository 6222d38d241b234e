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

const hero = { type: 'hero', props: { heading: 'Welcome' } };
const newPage = (args: Record<string, unknown>) => site.data('create_page', args);

describe('create_page', () => {
  it('makes a draft at rev 1, with one snapshot', async () => {
    const before = await site.check();
    const result = await site.call('create_page', { title: 'About us', sections: [hero] });
    expect(result).toMatchObject({ rev: 1, changed: true, data: { path: '/about-us', locale: 'en' } });
    expect((await site.check()).seq).toBe(before.seq + 1);
    const { sections, status, live } = await site.data('get_page', { page: '/about-us' });
    expect(sections).toEqual([{ id: expect.stringMatching(/^se_/), ...hero }]);
    expect({ status, live }).toEqual({ status: 'draft', live: null });
  });

  it('goes under a parent, named by path or by parent and slug', async () => {
    const parent = await newPage({ title: 'Company' });
    expect(await newPage({ title: 'Team', path: '/company/team' })).toMatchObject({ parent: parent.id });
    expect(await newPage({ title: 'Jobs', parent: '/company', slug: 'jobs' })).toMatchObject({ path: '/company/jobs' });
    expect(await newPage({ title: 'Office', parent: parent.id })).toMatchObject({ path: '/company/office' });
  });

  it('copies the sections of a template under new ids', async () => {
    const { id } = await newPage({ title: 'Template', sections: [hero] });
    const copy = await newPage({ title: 'Copy', template: id });
    const [one, two] = [await site.data('get_page', { page: id }), await site.data('get_page', { page: copy.id })];
    expect(two.sections[0].props).toEqual(one.sections[0].props);
    expect(two.sections[0].id).not.toBe(one.sections[0].id);
  });

  it('is in the locale of its parent, and one address may exist in each locale', async () => {
    await newPage({ title: 'Kontakt', slug: 'contact', locale: 'de' });
    await newPage({ title: 'Contact', slug: 'contact' });
    expect(await newPage({ title: 'Karte', path: '/contact/map', locale: 'de' })).toMatchObject({ locale: 'de' });
  });

  it.each([
    ['a taken address', { title: 'About us' }, 'slug_taken', undefined],
    ['a reserved word', { title: 'Admin' }, 'validation_failed', 'slug'],
    ['the address of another locale', { title: 'x', slug: 'de' }, 'validation_failed', 'slug'],
    ['a reserved word as path', { title: 'x', path: '/mcp' }, 'validation_failed', 'path'],
    ['an empty path', { title: 'x', path: '/' }, 'validation_failed', 'path'],
    ['a relative path', { title: 'x', path: 'about' }, 'validation_failed', 'path'],
    ['a path that climbs', { title: 'x', path: '/company/..' }, 'validation_failed', 'path'],
    ['an encoded path', { title: 'x', path: '/%2e%2e' }, 'validation_failed', 'path'],
    ['a parent that is not there', { title: 'x', path: '/nowhere/x' }, 'not_found', undefined],
    ['an unknown parent', { title: 'x', parent: 'pg_none' }, 'not_found', undefined],
    ['a path and a slug', { title: 'x', path: '/x', slug: 'x' }, 'validation_failed', 'path'],
    ['a template and sections', { title: 'x', template: '/about-us', sections: [] }, 'validation_failed', 'template'],
    ['a wrong locale', { title: 'x', locale: 'fr' }, 'validation_failed', 'locale'],
    ['another locale than the parent', { title: 'x', parent: '/company', locale: 'de' }, 'validation_failed', 'locale'],
    ['no title', { path: '/x' }, 'validation_failed', 'title'],
    ['a title without letters', { title: '🙂' }, 'validation_failed', 'slug'],
    [
      'an unknown section type',
      { title: 'x', sections: [{ type: 'iframe', props: {} }] },
      'validation_failed',
      'sections[0].type',
    ],
    [
      'wrong props',
      { title: 'x', sections: [hero, { type: 'quote', props: { text: 5 } }] },
      'validation_failed',
      'sections[1].props.text',
    ],
    [
      'unknown props',
      { title: 'x', sections: [{ type: 'hero', props: { heading: 'x', html: '<b>' } }] },
      'validation_failed',
      'sections[0].props.html',
    ],
    [
      'a script as link',
      {
        title: 'x',
        sections: [{ type: 'call_to_action', props: { text: 'x', link: { label: 'x', href: 'javascript:alert(1)' } } }],
      },
      'validation_failed',
      'sections[0].props.link.href',
    ],
    ['an unknown argument', { title: 'x', published: true }, 'validation_failed', 'published'],
  ])('refuses %s', async (_, args, code, path) => {
    const error = await site.refusal('create_page', args);
    expect(error).toMatchObject({ code, applied: 'no', ...(path !== undefined && { details: { path } }) });
  });

  it.each([
    'Über',
    'a_b',
    '-a',
    'a-',
    'a b',
    'ｆｕｌｌ',
    'xn--bcher-kva',
    'a\u202Eb',
    'a\u200Bb',
    'ﬁ',
    'x'.repeat(97),
    'CON',
  ])('refuses the slug %j, never repairs it', async (slug) => {
    expect(await site.refusal('create_page', { title: 'x', slug })).toMatchObject({ details: { path: 'slug' } });
  });
});

describe('update_page', () => {
  it('merges title, seo and props, and leaves the rest', async () => {
    const { id } = await newPage({
      title: 'Merge',
      sections: [{ ...hero, props: { heading: 'A', text: 'B' } }],
      seo: { title: 'T', description: 'D' },
    });
    const [section] = (await site.data('get_page', { page: id })).sections;
    const result = await site.call('update_page', {
      page: id,
      rev: 1,
      set: { seo: { noindex: true }, sections: { [section.id]: { heading: 'C' } } },
      unset: ['seo.title', `sections.${section.id}.text`],
    });
    expect(result).toMatchObject({ rev: 2, changed: true });
    const page = await site.data('get_page', { page: id });
    expect(page).toMatchObject({ title: 'Merge', seo: { description: 'D', noindex: true } });
    expect(page.sections).toEqual([{ id: section.id, type: 'hero', props: { heading: 'C' } }]);
  });

  it('that changes nothing makes no snapshot', async () => {
    const { id } = await newPage({ title: 'Same' });
    const result = await site.call('update_page', { page: id, rev: 1, set: { title: 'Same' } });
    expect(result.changed).toBe(false);
    expect(result).not.toHaveProperty('snapshot');
  });

  it('with a stale rev is refused and says what changed', async () => {
    const { id } = await newPage({ title: 'Stale' });
    await site.call('update_page', { page: id, rev: 1, set: { title: 'Other' } });
    const error = await site.refusal('update_page', { page: id, rev: 1, set: { title: 'Mine' } });
    expect(error).toMatchObject({
      code: 'rev_conflict',
      details: { currentRev: 2, sent: 1, changedFields: ['title'] },
    });
  });

  it.each([
    ['no rev', { rev: undefined }, 'rev'],
    ['a rev that is no number', { rev: 'one' }, 'rev'],
    ['an address', { set: { slug: 'x' } }, 'set.slug'],
    ['an empty title', { set: { title: '' } }, 'set.title'],
    ['an unknown seo member', { set: { seo: { keywords: 'x' } } }, 'set.seo.keywords'],
    ['props that are no object', { set: { sections: { SECTION: 'x' } } }, 'set.sections.SECTION'],
    ['a wrong prop', { set: { sections: { SECTION: { heading: 5 } } } }, 'set.sections.SECTION.heading'],
    ['a prop that must be there', { unset: ['sections.SECTION.heading'] }, 'set.sections.SECTION.heading'],
    ['an unknown name to remove', { unset: ['title'] }, 'unset.title'],
    ['a member to remove that is not there', { unset: ['seo.title'] }, 'unset.title'],
  ])('refuses %s', async (_, args, path) => {
    const { id } = await newPage({
      title: `Bad ${path}`,
      slug: `bad-${Math.random().toString(36).slice(2)}`,
      sections: [hero],
    });
    const [section] = (await site.data('get_page', { page: id })).sections;
    const filled = JSON.parse(JSON.stringify({ page: id, rev: 1, ...args }).replaceAll('SECTION', section.id));
    const error = await site.refusal('update_page', filled);
    expect(error).toMatchObject({ code: 'validation_failed', details: { path: path.replace('SECTION', section.id) } });
  });

  it('says that there is no such section', async () => {
    const { id } = await newPage({ title: 'No section' });
    const args = { page: id, rev: 1, set: { sections: { se_none: {} } } };
    expect(await site.refusal('update_page', args)).toMatchObject({ code: 'not_found', details: { id: 'se_none' } });
  });
});
