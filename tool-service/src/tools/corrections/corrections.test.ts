import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage } from '../../site/site-page.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const article = (title: string) => site.data('create_entry', { type: 'article', fields: { title }, body: 'Said.' });
const served = async (path: string) => (await servePage(site.database, { site: 'example', path, basePath: '' })).html;
const list = async (args: object = {}) => (await site.data('list_corrections', { ...args })).corrections;
const head = async () => (await site.data('get_site')) as { snapshot: string; liveSnapshot: string };
const add = (entry: string, rev: number, text: string, more: object = {}) =>
  site.data('add_correction', { entry, rev, text, kind: 'correction', correctedAt: '2026-11-02', ...more });

describe('a correction', () => {
  it('is appended in one snapshot, shown to readers once published, and stays through later edits', async () => {
    const { id } = await article('Mayor');
    await site.publish(id);
    const { seq } = await site.check();
    const first = await add(id, 1, 'The mayor is <b>60</b>, not 70.');
    expect((await site.check()).seq).toBe(seq + 1);
    await add(id, 2, 'She took office in 2019.', { kind: 'clarification', correctedAt: '2026-11-03' });
    await site.call('edit_body', { entry: id, rev: 3, edits: [{ find: 'Said', replace: 'Done' }] });
    await site.call('update_entry', { entry: id, rev: 4, set: { summary: 'S' } });
    const { corrections } = await site.data('get_entry', { entry: id });
    expect(corrections).toEqual([
      { id: first.correction, kind: 'correction', text: 'The mayor is <b>60</b>, not 70.', correctedAt: '2026-11-02' },
      expect.objectContaining({ kind: 'clarification' }),
    ]);
    expect(await list({ entry: id })).toMatchObject([{ status: 'draft' }, { status: 'draft' }]);
    expect(await served('/articles/mayor')).not.toContain('not 70');
    await site.publish(id);
    const html = await served('/articles/mayor');
    expect(html).toContain('The mayor is &lt;b&gt;60&lt;/b&gt;, not 70.');
    expect(html.indexOf('She took office')).toBeLessThan(html.indexOf('not 70'));
    expect(await list({ kind: 'correction' })).toMatchObject([{ status: 'published', title: 'Mayor' }]);
  });

  it('is part of a diff, and comes through a rollback to any state that had it', async () => {
    const { id } = await article('Bridge');
    const before = (await site.publish(id)).snapshot;
    await add(id, 1, 'It is made of steel.', { correctedAt: '2026-10-01' });
    const corrected = (await site.publish(id)).snapshot;
    await site.call('update_entry', { entry: id, rev: 2, body: 'Worse.' });
    await site.publish(id);
    const { differences } = await site.data('diff_snapshots', { a: before, b: 'live', track: 'live', node: id });
    expect(JSON.stringify(differences[0].members)).toContain('corrections');

    const rollBack = async (snapshot: string | undefined) => ({
      snapshot,
      track: 'live',
      expectLive: (await head()).liveSnapshot,
      reason: 'x',
    });
    await site.call('rollback', await rollBack(corrected));
    expect(await served('/articles/bridge')).toMatch(/Said\.[\s\S]*made of steel/);

    const earlier = await rollBack(before);
    expect((await site.assess('rollback', earlier)).problems).toEqual([
      '"Bridge" loses a correction that readers see, of "2026-10-01".',
    ]);
    await site.call('rollback', { ...earlier, track: 'both' });
    expect(await list({ entry: id })).toMatchObject([{ text: 'It is made of steel.', status: 'withdrawn' }]);
  });

  it('stays with its entry: a copy begins without', async () => {
    const { id } = await article('Original');
    await add(id, 1, 'Wrong.');
    const copy = await site.data('duplicate_entry', { entry: id });
    expect(await site.data('get_entry', { entry: copy.id })).not.toHaveProperty('corrections');
  });

  it('is shown on a translation as well, until that says it in its own language', async () => {
    const { id } = await article('Fire');
    await add(id, 1, 'Nobody was hurt.', { correctedAt: '2026-09-01' });
    const args = { node: id, locale: 'de', rev: 0, sourceRev: 2, fields: { title: 'Feuer' }, body: 'Gesagt.' };
    const { id: german } = await site.data('save_translation', args);
    expect(await site.data('get_entry', { entry: german })).not.toHaveProperty('corrections');
    await site.publish(id, german);
    expect(await served('/de/articles/fire')).toContain('<span lang="en">Nobody was hurt.</span>');
    await add(german, 1, 'Niemand wurde verletzt.', { correctedAt: '2026-09-01' });
    await site.publish(german);
    const html = await served('/de/articles/fire');
    expect(html).toMatch(/Korrektur, .*Niemand wurde verletzt/);
    expect(html).not.toContain('Nobody was hurt');
    expect(await site.view().nodes([id])).toMatchObject([{ body: { corrections: [{ text: 'Nobody was hurt.' }] } }]);
  });

  it('can be undone', async () => {
    const { id } = await article('Undone');
    await site.call('add_correction', { entry: id, rev: 1, text: 'Oops.', kind: 'update' });
    await site.call('undo_change', { snapshot: (await head()).snapshot });
    expect(await site.data('get_entry', { entry: id })).not.toHaveProperty('corrections');
  });

  it('is refused with another rev, for what is no entry, or on a day that is not', async () => {
    const { id } = await article('Refused');
    expect(await site.refusal('add_correction', { entry: id, rev: 2, text: 'x', kind: 'update' })).toMatchObject({
      code: 'rev_conflict',
    });
    expect(await site.refusal('add_correction', { entry: 'none', rev: 1, text: 'x', kind: 'update' })).toMatchObject({
      code: 'not_found',
    });
    for (const [args, path] of [
      [{ correctedAt: '2026-02-30' }, 'correctedAt'],
      [{ correctedAt: '2999-01-01' }, 'correctedAt'],
      [{ text: ' \n' }, 'text'],
      [{ text: 'x'.repeat(2001) }, 'text'],
      [{ kind: 'apology' }, 'kind'],
    ] as const) {
      const call = { entry: id, rev: 1, text: 'x', kind: 'update', ...args };
      expect(await site.refusal('add_correction', call)).toMatchObject({
        code: 'validation_failed',
        details: { path },
      });
    }
    expect(await list({ entry: id })).toEqual([]);
  });

  it('pages through the site, newest first', async () => {
    const first = await site.call('list_corrections', { limit: 2 });
    const second = await site.data('list_corrections', { limit: 100, cursor: first.cursor });
    const all = [...(first.data as { corrections: { correctedAt: string }[] }).corrections, ...second.corrections];
    expect(all.map(({ correctedAt }) => correctedAt)).toEqual(
      all
        .map(({ correctedAt }) => correctedAt)
        .sort()
        .reverse(),
    );
    expect(await list({ since: '2026-11-03' })).not.toContainEqual(
      expect.objectContaining({ correctedAt: '2026-11-02' }),
    );
  });
});

describe('a retraction', () => {
  it('needs a person, to make it, to publish it and to take it back, and stands above the text', async () => {
    const { id } = await article('Hoax');
    const args = { entry: id, rev: 1, text: 'None of this happened.', kind: 'retraction' };
    const assessment = await site.assess('add_correction', args);
    expect(assessment).toMatchObject({ effect: 'person', base: { revs: { [id]: 1 } } });
    expect((await site.assess('add_correction', { ...args, kind: 'update' })).effect).toBe('edit');
    const { snapshot } = await site.call('add_correction', args);
    expect((await site.assess('undo_change', { snapshot })).effect).toBe('person');
    const publish = { what: { nodes: [id] }, expectDraft: (await head()).snapshot };
    expect((await site.assess('publish', publish)).effect).toBe('person');
    await site.call('publish', publish);
    const html = await served('/articles/hoax');
    expect(html.indexOf('None of this happened.')).toBeLessThan(html.indexOf('Said.'));
    await site.call('update_entry', { entry: id, rev: 2, set: { summary: 'S' } });
    const again = { what: { nodes: [id] }, expectDraft: (await head()).snapshot };
    expect((await site.assess('publish', again)).effect).toBe('auto-publish');
  });
});
