import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage } from '../../site/site-page.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(() => site.drop());

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const reason = 'The press conference is on Monday.';
const article = (slug: string, more = {}) =>
  site.data('create_entry', { type: 'article', slug, fields: { title: `About ${slug}` }, ...more });
const head = async () => (await site.view().head()).snapshot;
const publish = async (...nodes: string[]) => site.call('publish', { what: { nodes }, expectDraft: await head() });
const live = (id: string) => site.view().nodes([id], { track: 'live' });

describe('an embargo', () => {
  it('is set as one snapshot, shown where the node is read, and listed', async () => {
    const { id, rev } = await article('listed');
    const until = inHours(2);
    const before = await site.check();
    const result = await site.call('set_embargo', { node: id, rev, until, reason });
    expect(result).toMatchObject({ changed: true, rev, data: { node: id, until } });
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await site.data('get_entry', { entry: id })).toMatchObject({ embargo: until });
    expect((await site.data('list_embargoes')).embargoes).toMatchObject([
      { node: id, title: 'About listed', path: '/articles/listed', until, reason, by: 'Ada' },
    ]);
    expect(await site.call('set_embargo', { node: id, rev, until, reason })).toMatchObject({ changed: false });
    const page = await site.data('create_page', { title: 'Held page' });
    await site.call('set_embargo', { node: page.id, rev: 1, until: inHours(1), reason });
    expect(await site.data('get_page', { page: page.id })).toHaveProperty('embargo');
    const first = await site.call('list_embargoes', { limit: 1 });
    expect(first.data).toMatchObject({ embargoes: [{ node: page.id }] });
    const second = await site.call('list_embargoes', { limit: 1, cursor: first.cursor });
    expect(second.data).toMatchObject({ embargoes: [{ node: id }] });
  });

  it('may be made longer like any edit; ending it earlier, or at once, takes a person', async () => {
    const { id } = await article('longer');
    const set = (until: string) => ({ node: id, rev: 1, until, reason });
    expect(await site.assess('set_embargo', set(inHours(2)))).toMatchObject({ effect: 'edit', nodes: 1 });
    const early = await site.assess('set_embargo', set(inHours(2)));
    await site.call('set_embargo', set(inHours(2)));
    expect(await site.assess('set_embargo', set(inHours(3)))).toMatchObject({ effect: 'edit' });
    const earlier = await site.assess('set_embargo', set(inHours(1)));
    expect(earlier).toMatchObject({ effect: 'person', summary: { title: expect.stringContaining('earlier') } });
    // What ran as a first embargo does not shorten the one that somebody set in the meantime.
    const late = await site.refused('set_embargo', { site: site.id, ...set(inHours(1)) }, { base: early.base });
    expect(late.code).toBe('digest_moved');
    expect(await site.assess('lift_embargo', { node: id, rev: 1, reason })).toMatchObject({ effect: 'person' });
    expect((await publishRefusal(id)).code).toBe('embargoed');
    await site.call('lift_embargo', { node: id, rev: 1, reason });
    expect(await publish(id)).toMatchObject({ changed: true });
  });

  it('is no longer there when its time has come', async () => {
    const { id } = await article('over');
    await site.call('set_embargo', { node: id, rev: 1, until: inHours(1), reason });
    await site.database.query(
      `UPDATE tools.embargo SET until = clock_timestamp() - interval '1 second' WHERE node_id = $1`,
      [id],
    );
    expect((await site.data('list_embargoes')).embargoes.map((row: { node: string }) => row.node)).not.toContain(id);
    expect(await publish(id)).toMatchObject({ changed: true });
  });

  it.each([
    [{ until: '2020-01-01T00:00:00Z' }, 'validation_failed'],
    [{ until: '2031-03-30T02:30', timeZone: 'Europe/Berlin' }, 'validation_failed'],
    [{ until: '2031-06-01T09:00' }, 'validation_failed'],
    [{ until: '2031-06-01T09:00', timeZone: 'Nowhere/At_All' }, 'validation_failed'],
    [{ rev: 7 }, 'rev_conflict'],
    [{ node: 'en_nowhere' }, 'not_found'],
    [{ reason: '' }, 'validation_failed'],
    [{ reason: 'x'.repeat(501) }, 'validation_failed'],
    [{ untill: 'x' }, 'validation_failed'],
  ])('is refused with %j', async (change, code) => {
    const node = await site.data('create_page', { title: 'Refusals', requestId: 'refusals' });
    const args = { node: node.id, rev: 1, until: inHours(1), reason, ...change };
    expect(await site.refusal('set_embargo', args)).toMatchObject({ code, applied: 'no' });
  });

  it('asks for translations to be taken off, too, and whoever takes an original off hears of them', async () => {
    const { id } = await article('told');
    const texts = { fields: { title: 'Erzählt' }, slug: 'erzaehlt' };
    const german = await site.data('save_translation', { node: id, locale: 'de', rev: 0, sourceRev: 1, ...texts });
    await publish(id, german.id);
    const { warnings } = await site.call('unpublish', { items: [{ node: id, rev: 1 }] });
    expect(warnings).toEqual([`These translations of them stay live: ${german.id}.`]);
    expect((await site.refusal('set_embargo', { node: id, rev: 1, until: inHours(1), reason })).code).toBe('in_use');
    expect(await site.call('unpublish', { items: [{ node: german.id, rev: 1 }] })).not.toHaveProperty('warnings');
    expect(await site.call('set_embargo', { node: id, rev: 1, until: inHours(1), reason })).toMatchObject({
      changed: true,
    });
  });

  it('is for what readers do not see yet, and for what has an address', async () => {
    const { id } = await article('already-live');
    await publish(id);
    expect((await site.refusal('set_embargo', { node: id, rev: 1, until: inHours(1), reason })).code).toBe('in_use');
    expect((await site.refusal('set_embargo', { node: site.id, rev: 1, until: inHours(1), reason })).code).toBe(
      'validation_failed',
    );
    expect((await site.refusal('lift_embargo', { node: id, rev: 1, reason })).code).toBe('validation_failed');
  });
});

async function publishRefusal(...nodes: string[]) {
  return site.refusal('publish', { what: { nodes }, expectDraft: await head() });
}

describe('under embargo', () => {
  let id: string;
  let wasLive: string;
  let beforeEmbargo: string;
  beforeAll(async () => {
    id = (await article('secret', { body: 'Zanzibar merger.' })).id;
    wasLive = (await publish(id)).snapshot!;
    await site.call('unpublish', { items: [{ node: id, rev: 1 }] });
    await site.call('update_entry', { entry: id, rev: 1, set: { summary: 'Zanzibar.' } });
    beforeEmbargo = await head();
    await site.call('set_embargo', { node: id, rev: 2, until: inHours(5), reason });
  });

  const liveSnapshot = async () => (await site.view().head()).liveSnapshot;
  const paths: [string, () => Promise<{ code: string }>][] = [
    ['publishing it', () => publishRefusal(id)],
    ['publishing it with others', async () => publishRefusal((await article(`other-${Date.now()}`)).id, id)],
    [
      'rolling the live site back to where it was live',
      async () =>
        site.refusal('rollback', { snapshot: wasLive, track: 'live', expectLive: await liveSnapshot(), reason }),
    ],
    [
      'rolling both back',
      async () =>
        site.refusal('rollback', { snapshot: wasLive, track: 'both', expectLive: await liveSnapshot(), reason }),
    ],
    [
      'any other way to the live site, whatever its tool forgot',
      async () => {
        const put = site.change(async (draft) => {
          await draft.place('live', new Map([[id, await draft.node(id)]]));
        });
        return put.then(
          () => ({ code: 'none' }),
          (error: { code: string }) => error,
        );
      },
    ],
  ];
  it('a copy of its translation is held as long as it is', async () => {
    const german = await site.data('save_translation', {
      node: id,
      locale: 'de',
      rev: 0,
      sourceRev: 2,
      slug: 'geheim',
      fields: { title: 'Geheim' },
    });
    expect((await publishRefusal(german.id)).code).toBe('embargoed');
    const copy = await site.data('duplicate_entry', { entry: german.id });
    expect((await publishRefusal(copy.id)).code).toBe('embargoed');
  });

  it.each(paths)('%s is refused', async (_, attempt) => {
    expect(await attempt()).toMatchObject({ code: 'embargoed' });
    expect(await live(id)).toEqual([]);
  });

  it('publishing everything leaves it out, and says so', async () => {
    const result = await site.call('publish', { what: { all: true }, expectDraft: await head() });
    expect(result.warnings?.join()).toContain(id);
    expect(await live(id)).toEqual([]);
  });

  it('readers find it nowhere: not at its address, in lists, by search, by path or in a live preview', async () => {
    for (const path of ['/articles/secret', '/articles', '/'])
      expect((await servePage(site.database, { site: site.id, path, basePath: '' })).html).not.toContain('secret');
    expect((await site.data('search_site', { query: 'Zanzibar', view: 'live' })).hits).toEqual([]);
    for (const [tool, args] of [
      ['resolve_path', { path: '/articles/secret', view: 'live' }],
      ['get_entry', { entry: id, view: 'live' }],
      ['preview_page', { node: id, view: 'live' }],
    ] as const)
      expect((await site.refusal(tool, args)).code).toBe('not_found');
  });

  it('it stays so through undo, rollback of the draft, the trash, restoring and copying', async () => {
    await site.call('undo_change', { snapshot: beforeEmbargo });
    expect((await publishRefusal(id)).code).toBe('embargoed');
    await site.call('rollback', { snapshot: beforeEmbargo, track: 'draft', reason });
    expect((await publishRefusal(id)).code).toBe('embargoed');
    const { rev } = await site.data('get_entry', { entry: id });
    await site.call('delete_entry', { entry: id, rev });
    await site.call('restore_node', { node: id, from: 'trash' });
    expect((await publishRefusal(id)).code).toBe('embargoed');
    const now = await site.data('get_entry', { entry: id });
    await site.call('restore_node', { node: id, from: 'snapshot', snapshot: wasLive, rev: now.rev });
    expect((await publishRefusal(id)).code).toBe('embargoed');
    const copy = await site.data('duplicate_entry', { entry: id });
    expect((await publishRefusal(copy.id)).code).toBe('embargoed');
    await site.check();
  });

  it('its translation is held with it', async () => {
    const original = await article('held-original', { body: 'One.' });
    await site.call('set_embargo', { node: original.id, rev: 1, until: inHours(5), reason });
    const { id: translation } = await site.data('save_translation', {
      node: original.id,
      locale: 'de',
      rev: 0,
      sourceRev: 1,
      fields: { title: 'Geheim' },
      body: 'Eins.',
    });
    expect(await site.data('get_entry', { entry: translation })).toHaveProperty('embargo');
    expect((await publishRefusal(translation)).code).toBe('embargoed');
    const other = await article('shown-in-german', { body: 'One.' });
    const more = { locale: 'de', rev: 0, sourceRev: 1, fields: { title: 'Da' }, body: 'Eins.' };
    const german = await site.data('save_translation', { node: other.id, ...more });
    await publish(german.id);
    const refused = await site.refusal('set_embargo', { node: other.id, rev: 1, until: inHours(5), reason });
    expect(refused).toMatchObject({ code: 'in_use', message: expect.stringContaining(german.id) });
  });

  it('a page made from it as a template is held, too', async () => {
    const page = await site.data('create_page', { title: 'Held template' });
    await site.call('set_embargo', { node: page.id, rev: 1, until: inHours(5), reason });
    const copy = await site.data('create_page', { title: 'Made from it', template: page.id });
    expect((await publishRefusal(copy.id)).code).toBe('embargoed');
  });
});
