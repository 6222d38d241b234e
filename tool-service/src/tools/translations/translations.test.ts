import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de', 'pt-BR', 'pt'] });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const text = '# Harbour\n\nShips come in.\n\nShips go out.\n';

async function article(title: string, body = text) {
  return site.data('create_entry', { type: 'article', fields: { title, summary: 'By the sea.' }, body });
}

const translation = (node: string, locale = 'de') => site.data('get_translation', { node, locale });

async function german(node: string, more: Record<string, unknown>) {
  const result = await site.call('save_translation', { node, locale: 'de', rev: 0, sourceRev: 1, ...more });
  return { ...result, data: result.data as { id: string } };
}

const whole = {
  fields: { title: 'Der Hafen', summary: 'Am Meer.' },
  body: '# Hafen\n\nSchiffe kommen.\n\nSchiffe gehen.\n',
};

describe('a translation of an entry', () => {
  it('is a draft of its own, whose blocks carry the ids of the blocks that they translate', async () => {
    const { id } = await article('Harbour one');
    const before = await site.check();
    const saved = await german(id, whole);
    expect(saved).toMatchObject({ rev: 1, changed: true, data: { of: id, locale: 'de', untranslated: 0, changed: 0 } });
    expect((await site.check()).seq).toBe(before.seq + 1);
    const [source, target] = await Promise.all(
      ['en', 'de'].map((locale) => site.data('get_entry', { entry: id, locale, bodyFormat: 'blocks' })),
    );
    expect(target).toMatchObject({ id: saved.data.id, locale: 'de', translation: { of: id, rev: 1 }, status: 'draft' });
    const ids = (entry: { blocks: { id: string }[] }) => entry.blocks.map((block) => block.id);
    expect(ids(target)).toEqual(ids(source));
    expect(await translation(id)).toMatchObject({ state: 'current', sourceRev: 1, rev: 1 });
  });

  it('goes stale by block: only what changed in the original is named', async () => {
    const { id } = await article('Harbour two');
    await german(id, whole);
    await site.call('edit_body', {
      entry: id,
      rev: 1,
      edits: [{ find: 'Ships go out.', replace: 'Ships go out at night.' }],
    });
    const stale = await translation(id);
    expect(stale).toMatchObject({ state: 'stale', sourceRev: 2, rev: 1 });
    const changed = stale.texts.filter((row: { state: string }) => row.state !== 'current');
    expect(changed).toMatchObject([{ source: 'Ships go out at night.', target: 'Schiffe gehen.', state: 'changed' }]);
    const [{ block }] = changed;
    const blocks = [{ block, text: 'Schiffe gehen nachts.' }];
    await site.call('save_translation', { node: id, locale: 'de', rev: 1, sourceRev: 2, blocks });
    expect(await site.data('get_entry', { entry: id, locale: 'de' })).toMatchObject({
      rev: 2,
      fields: { title: 'Der Hafen', summary: 'Am Meer.' },
      body: '# Hafen\n\nSchiffe kommen.\n\nSchiffe gehen nachts.\n',
    });
    expect(await translation(id)).toMatchObject({ state: 'current' });
  });

  it('that was made in parts says what is left, and is not current before it is whole', async () => {
    const { id } = await article('Harbour three');
    const { texts } = await translation(id);
    const [first, second, third] = texts.filter((row: object) => 'block' in row);
    await german(id, { fields: { title: 'Hafen drei' }, blocks: [{ block: third.block, text: 'Schiffe gehen.' }] });
    const saved = await site.call('save_translation', {
      node: id,
      locale: 'de',
      rev: 1,
      sourceRev: 1,
      blocks: [{ block: first.block, text: '# Hafen' }],
    });
    expect(saved.data).toMatchObject({ untranslated: 2, changed: 0 });
    expect((await site.data('get_entry', { entry: id, locale: 'de' })).body).toMatch(/^# Hafen\s+Schiffe gehen\.$/);
    expect(await translation(id)).toMatchObject({ state: 'partial' });
    await site.call('save_translation', {
      node: id,
      locale: 'de',
      rev: 2,
      sourceRev: 1,
      fields: { summary: 'Am Meer.' },
      blocks: [{ block: second.block, text: 'Schiffe kommen.' }],
    });
    expect((await site.data('get_entry', { entry: id, locale: 'de' })).body).toBe(
      '# Hafen\n\nSchiffe kommen.\n\nSchiffe gehen.',
    );
    expect(await translation(id)).toMatchObject({ state: 'current' });
  });

  it('made from an older original is stale where that has changed since, and nowhere else', async () => {
    const { id } = await article('Harbour four');
    await site.call('update_entry', { entry: id, rev: 1, set: { summary: 'By the cold sea.' } });
    const saved = await german(id, whole);
    expect(saved.warnings).toEqual([expect.stringContaining('rev 2')]);
    expect(saved.data).toMatchObject({ changed: 1, untranslated: 0 });
  });

  it('comes with the words of the glossary that the original has', async () => {
    const propose = (op: string, more: object) =>
      site.call('propose_term', { op, taxonomy: 'glossary', reason: 'one word for one thing', ...more });
    await propose('create_taxonomy', { set: { title: 'Glossary' } });
    for (const [label, german] of [
      ['Ships', 'Schiffe'],
      ['Hip', 'Hüfte'],
      ['Rope', 'Tau'],
    ] as const) {
      const { data } = await propose('create', { set: { label } });
      const { slug, rev } = data as { slug: string; rev: number };
      await propose('translate', { term: slug, rev, set: { locale: 'de', label: german } });
    }
    const { id } = await article('Harbour with words');
    expect((await translation(id)).glossary).toEqual([{ source: 'Ships', target: 'Schiffe' }]);
    expect((await translation(id, 'pt')).glossary).toEqual([]);
  });

  it('changes alone: the original and other locales stay as they are', async () => {
    const { id } = await article('Harbour five');
    await german(id, whole);
    await site.call('save_translation', { node: id, locale: 'pt', rev: 0, sourceRev: 1, fields: { title: 'O porto' } });
    const before = await Promise.all(['en', 'pt'].map((locale) => site.data('get_entry', { entry: id, locale })));
    await site.call('update_entry', { entry: id, locale: 'de', rev: 1, set: { title: 'Der alte Hafen' } });
    await site.call('edit_body', { entry: id, locale: 'de', rev: 2, edits: [{ find: 'gehen', replace: 'fahren' }] });
    expect(await Promise.all(['en', 'pt'].map((locale) => site.data('get_entry', { entry: id, locale })))).toEqual(
      before,
    );
    expect(await translation(id)).toMatchObject({ state: 'current', rev: 3 });
  });

  it('is published, diffed, rolled back, searched, found by backlinks and undone like any node', async () => {
    const { id } = await article('Harbour six');
    const { id: de } = (await german(id, { ...whole, fields: { title: 'Leuchtturm' } })).data;
    const publish = async () =>
      site.call('publish', { what: { nodes: [id, de] }, expectDraft: (await site.data('get_site')).snapshot });
    await publish();
    const published = (await site.data('get_site')).snapshot;
    await site.call('update_entry', { entry: id, locale: 'de', rev: 1, set: { title: 'Der Leuchtturm' } });
    await publish();
    const diff = await site.data('diff_snapshots', { a: published, b: 'live', format: 'fields' });
    expect(JSON.stringify(diff)).toContain('Der Leuchtturm');
    expect(JSON.stringify(diff)).not.toContain(`"${id}"`);
    expect((await site.data('search_site', { query: 'Leuchtturm', locale: 'de' })).hits).toMatchObject([{ id: de }]);
    expect((await site.data('get_backlinks', { node: id })).backlinks).toMatchObject([
      { source: de, role: 'translation' },
    ]);
    const expectLive = (await site.data('get_site')).liveSnapshot;
    await site.call('rollback', { snapshot: published, track: 'live', expectLive, reason: 'test' });
    expect(await site.data('get_entry', { entry: id, locale: 'de', view: 'live' })).toMatchObject({
      fields: { title: 'Leuchtturm' },
    });
  });

  it('comes back out of the trash as the same node', async () => {
    const { id } = await article('Harbour seven');
    const saved = await german(id, whole);
    await site.call('delete_translation', { node: id, locale: 'de', rev: 1 });
    expect(await translation(id)).toMatchObject({ state: 'missing', rev: 0 });
    await site.call('restore_node', { node: saved.data.id, from: 'trash' });
    expect(await translation(id)).toMatchObject({ state: 'current', rev: 3 });
    await site.call('delete_translation', { node: id, locale: 'de', rev: 3 });
    const next = await german(id, { ...whole, fields: { title: 'Neu' } });
    expect(next.data.id).toBe(saved.data.id);
    expect(next.rev).toBe(5);
  });

  it('of which a copy is made is not copied as a second translation', async () => {
    const { id } = await article('Harbour eight');
    const { data } = await german(id, whole);
    const copy = await site.data('duplicate_entry', { entry: data.id });
    expect(await site.data('get_entry', { entry: copy.id })).not.toHaveProperty('translation');
  });
});

describe('a translation of a page', () => {
  it('takes the sections along with their first text, and nothing that is not language', async () => {
    const page = await site.data('create_page', {
      path: '/about',
      title: 'About',
      sections: [
        { type: 'hero', props: { heading: 'Welcome', links: [{ label: 'Read', href: '/articles' }] } },
        { type: 'quote', props: { text: 'Well said.' } },
      ],
    });
    const child = await site.data('create_page', { path: '/about/team', title: 'Team' });
    const args = { locale: 'de', rev: 0, sourceRev: 1 };
    expect(
      await site.refusal('save_translation', { ...args, node: child.id, fields: { title: 'Team' } }),
    ).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining(page.id),
    });
    const { texts } = await translation(page.id);
    const named = Object.fromEntries(
      texts.map((row: { field?: string; block?: string; source: string }) => [row.source, row.block ?? row.field]),
    );
    expect(Object.keys(named).sort()).toEqual(['About', 'Read', 'Welcome', 'Well said.']);
    const blocks = [{ block: named.Welcome, text: 'Willkommen' }];
    const saved = await site.call('save_translation', {
      ...args,
      node: page.id,
      slug: 'ueber-uns',
      fields: { title: 'Über uns' },
      blocks,
    });
    expect(saved.data).toMatchObject({ path: '/ueber-uns', untranslated: 2 });
    expect(await site.data('get_page', { page: page.id, locale: 'de' })).toMatchObject({
      title: 'Über uns',
      sections: [{ type: 'hero', props: { heading: 'Willkommen', links: [{ label: 'Read', href: '/articles' }] } }],
    });
    const team = await site.call('save_translation', { ...args, node: child.id, fields: { title: 'Das Team' } });
    expect(team.data).toMatchObject({ path: '/ueber-uns/team' });
  });
});

describe('what is refused', () => {
  it.each([
    ['a locale that the site does not have', { locale: 'fr' }, 'en, de, pt-BR, pt'],
    ["the original's own locale", { locale: 'en' }, 'another locale'],
    ['a rev of the original that never was', { sourceRev: 9 }, 'rev 1'],
    ['an unknown block', { blocks: [{ block: 'b_nothing', text: 'x' }] }, 'block of the original'],
    ['an unknown field', { fields: { title: 'x', colour: 'rot' } }, 'colour'],
    ['body and blocks at once', { body: 'x', blocks: [{ block: 'b_1', text: 'x' }] }, 'either'],
    ['no title', { fields: {}, body: 'x' }, 'title'],
  ])('%s, and nothing is made', async (why, args, says) => {
    const { id } = await article(`Refused: ${why}`);
    const before = await site.check();
    const refused = await site.refusal('save_translation', {
      node: id,
      locale: 'de',
      rev: 0,
      sourceRev: 1,
      ...whole,
      ...('blocks' in args && !('body' in args) && { body: undefined }),
      ...args,
    });
    expect([refused.code, refused.message]).toEqual(['validation_failed', expect.stringContaining(says)]);
    expect((await site.check()).seq).toBe(before.seq);
  });

  it('a stale rev, and a new one where there is one already', async () => {
    const { id } = await article('Refused again');
    await german(id, whole);
    const args = { node: id, locale: 'de', sourceRev: 1, fields: { title: 'Neu' } };
    expect(await site.refusal('save_translation', { ...args, rev: 0 })).toMatchObject({ code: 'validation_failed' });
    await site.call('save_translation', { ...args, rev: 1 });
    expect(await site.refusal('save_translation', { ...args, rev: 1, fields: { title: 'Alt' } })).toMatchObject({
      code: 'rev_conflict',
    });
    expect(await site.refusal('get_entry', { entry: id, locale: 'pt' })).toMatchObject({ code: 'not_found' });
    expect(await site.refusal('update_entry', { entry: id, locale: 'xx', rev: 1, set: {} })).toMatchObject({
      message: expect.stringContaining('en, de, pt-BR, pt'),
    });
  });

  it('two new translations at once: one is made', async () => {
    const { id } = await article('At once');
    const results = await Promise.allSettled([german(id, whole), german(id, { ...whole, slug: 'anderswo' })]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('the overview', () => {
  it('counts what is done and names what is missing, partial, stale and current', async () => {
    const { locales, defaultLocale } = await site.data('list_locales');
    expect(defaultLocale).toBe('en');
    const by = Object.fromEntries(locales.map((row: { locale: string }) => [row.locale, row]));
    expect(by['pt-BR']).toMatchObject({ fallback: ['pt', 'en'], translated: 0, coverage: 0, direction: 'ltr' });
    expect(by.de.translated).toBeGreaterThan(5);
    expect(by.de.coverage).toBeLessThan(100);
    const states = async (state?: string) =>
      (await site.data('translation_status', { locale: 'de', kinds: ['entry'], ...(state && { state }) })).items as {
        title: string;
        locales: { de: { state: string } };
      }[];
    const all = await states();
    for (const state of ['missing', 'partial', 'stale', 'current'])
      expect(await states(state)).toEqual(all.filter(({ locales: { de } }) => de.state === state));
    expect(all.find(({ title }) => title === 'Harbour four')?.locales.de.state).toBe('stale');
    expect(all.some(({ title }) => title === 'Der Hafen')).toBe(false);
  });
});
