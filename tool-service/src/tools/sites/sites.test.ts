import { builtInContentTypes } from '@cloudhal/shared/site/content-types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSite } from '../../graph/create-site.ts';
import { plainPng } from '../../media/testing/pictures.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(() => site.drop());

describe('list_sites', () => {
  it('lists the sites that the permit names, and no other', async () => {
    const other = await createSite(site.database, { slug: 'other', title: 'Other' });
    const { sites } = await site.data('list_sites');
    expect(sites).toEqual([
      {
        id: site.id,
        slug: 'example',
        title: 'Example',
        locales: ['en', 'de'],
        defaultLocale: 'en',
        snapshot: expect.stringMatching(/^sn_/),
        liveSnapshot: expect.stringMatching(/^sn_/),
        unpublished: 0,
      },
    ]);
    expect(JSON.stringify(sites)).not.toContain(other.id);
  });
});

describe('get_site', () => {
  it('gives settings, schema, counts and limits in one call', async () => {
    const data = await site.data('get_site');
    expect(data).toMatchObject({
      id: site.id,
      slug: 'example',
      locales: ['en', 'de'],
      defaultLocale: 'en',
      rev: 1,
      publishing: { window: 'open at all times', smallPublishNodes: 5 },
      contentTypes: [{ name: 'article', hasBody: true }],
      limits: { importItems: 50, listItems: 100 },
    });
    expect(data.sectionTypes).toContain('hero');
    expect(data.counts).toContainEqual(
      expect.objectContaining({ kind: 'content_type', nodes: 1, status: 'published' }),
    );
  });

  it('gives only the parts that are asked for', async () => {
    const data = await site.data('get_site', { include: ['limits'] });
    expect(data).toHaveProperty('limits');
    for (const part of ['contentTypes', 'counts', 'publishing']) expect(data).not.toHaveProperty(part);
  });

  it.each([
    [{ include: ['members'] }, 'include[0]'],
    [{ include: 'settings' }, 'include'],
    [{ owner: true }, 'owner'],
  ])('refuses %j', async (args, path) => {
    expect(await site.refusal('get_site', args)).toMatchObject({ code: 'validation_failed', details: { path } });
  });
});

describe('content types', () => {
  it('are listed with a line each, entries, sections and taxonomies', async () => {
    const { contentTypes, sectionTypes, taxonomies } = await site.data('list_content_types');
    expect(contentTypes).toHaveLength(1);
    expect(contentTypes[0]).toMatchObject({ name: 'article', pathPrefix: '/articles' });
    expect(sectionTypes.map((type: { name: string }) => type.name)).toContain('call_to_action');
    expect(taxonomies.map(({ name }: { name: string }) => name)).toContain('topics');
  });

  it('come with a schema and an example that create_entry takes', async () => {
    const { kind, schema, example } = await site.data('get_content_type', { type: 'article' });
    expect(kind).toBe('entry');
    expect(schema).toEqual(JSON.parse(JSON.stringify(builtInContentTypes[0]!.fields)));
    expect((await site.call('create_entry', { type: 'article', fields: example })).changed).toBe(true);
  });

  it('of sections have an example that add_section takes, an image once there is one', async () => {
    const page = await site.data('create_page', { title: 'Sections' });
    const base64 = (await plainPng(4, 3)).toString('base64');
    const asset = (await site.data('upload_asset', { filename: 'a.png', base64, alt: '' })).id;
    let rev = page.rev;
    for (const { name } of (await site.data('list_content_types')).sectionTypes) {
      const { example } = await site.data('get_content_type', { type: name, kind: 'section' });
      rev = (
        await site.call('add_section', {
          page: page.id,
          rev,
          type: name,
          props: { ...example, ...(name === 'image' && { asset }) },
        })
      ).rev;
    }
    expect((await site.data('get_page', { page: page.id })).sections).toHaveLength(7);
  });

  it('include the page, with an example that create_page takes', async () => {
    const { kind, example } = await site.data('get_content_type', { type: 'page' });
    expect(kind).toBe('page');
    expect(await site.data('create_page', example)).toMatchObject({ path: '/about' });
  });

  it.each([
    [{ type: 'novel' }, 'one of article, hero, text, image, cards, entries, quote, call_to_action, page'],
    [{ type: 'hero', kind: 'entry' }, 'one of article'],
    [{ type: '__proto__' }, 'one of article'],
  ])('%j is refused with the types there are', async (args, expected) => {
    const error = await site.refusal('get_content_type', args);
    expect(error).toMatchObject({ code: 'validation_failed', details: { path: 'type' } });
    expect(error.details!.expected).toContain(expected);
  });
});

describe('update_site', () => {
  it('changes what is named, by rev, and sets the home page by its path', async () => {
    const { rev } = await site.data('get_site');
    const page = await site.data('create_page', { slug: 'welcome', title: 'Welcome' });
    const changed = await site.call('update_site', { rev, set: { tagline: 'A line.', homePage: '/welcome' } });
    expect(changed).toMatchObject({ rev: (rev as number) + 1, changed: true, data: { homePage: page.id } });
    expect(await site.data('get_site')).toMatchObject({ title: 'Example', tagline: 'A line.', homePage: page.id });

    await site.call('update_site', { rev: (rev as number) + 1, unset: ['tagline'] });
    expect(await site.data('get_site')).not.toHaveProperty('tagline');
  });

  it('adds languages, which can be translated into, and none whose address is taken', async () => {
    const { rev } = await site.data('get_site');
    await site.data('create_page', { slug: 'es', title: 'Es' });
    expect(await site.refusal('update_site', { rev, set: { addLocales: ['fr', 'es'] } })).toMatchObject({
      code: 'slug_taken',
      details: { slug: '/es' },
    });
    for (const odd of ['German', 'xx_yy', '../de']) {
      const error = await site.refusal('update_site', { rev, set: { addLocales: [odd] } });
      expect(error, odd).toMatchObject({ code: 'validation_failed' });
    }
    await site.call('update_site', { rev, set: { addLocales: ['fr', 'pt-BR', 'fr'] } });
    const { locales } = await site.data('list_locales');
    expect(locales.map(({ locale }: { locale: string }) => locale)).toEqual(['en', 'de', 'fr', 'pt-BR']);
    const page = await site.data('create_page', { slug: 'vent', title: 'Wind' });
    const title = { title: 'Vent' };
    await site.call('save_translation', { node: page.id, locale: 'fr', rev: 0, sourceRev: 1, fields: title });
    expect((await site.data('resolve_path', { path: '/fr/vent', view: 'draft' })).id).toBeDefined();
    expect(await site.refusal('create_page', { slug: 'fr', title: 'x' })).toMatchObject({ code: 'validation_failed' });
  });

  it('merges seo and leaves its other members', async () => {
    const { rev } = await site.data('get_site');
    await site.call('update_site', { rev, set: { seo: { title: 'T', description: 'D' } } });
    await site.call('update_site', { rev: rev + 1, set: { seo: { title: 'U' } } });
    expect((await site.data('get_site')).seo).toEqual({ title: 'U', description: 'D' });
  });

  it('refuses a stale rev, a home page that is not there, and what it does not know', async () => {
    const { rev } = (await site.data('get_site')) as { rev: number };
    expect(await site.refusal('update_site', { rev: rev - 1, set: { tagline: 'x' } })).toMatchObject({
      code: 'rev_conflict',
    });
    expect(await site.refusal('update_site', { rev, set: { homePage: '/nowhere' } })).toMatchObject({
      code: 'not_found',
    });
    expect(await site.refusal('update_site', { rev, set: { publishingWindow: {} } })).toMatchObject({
      code: 'validation_failed',
    });
    expect(await site.refusal('update_site', { rev, set: { tagline: 'x' }, unset: ['tagline'] })).toMatchObject({
      code: 'validation_failed',
    });
  });
});
