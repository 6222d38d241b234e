import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { servePreview } from '../../site/site-page.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite();
});
afterAll(() => site.drop());

type Args = Record<string, unknown>;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const article = async (slug: string, more = {}): Promise<string> =>
  (await site.data('create_entry', { type: 'article', slug, fields: { title: `About ${slug}` }, ...more })).id;
const edit = (entry: string, rev: number, summary: string) =>
  site.call('update_entry', { entry, rev, set: { summary } });
const head = async () => (await site.view().head()).snapshot;
const live = async (id: string) => (await site.view().nodes([id], { track: 'live' }))[0];
const release = async (...items: Args[]): Promise<string> =>
  (await site.data('create_release', { title: 'Spring', items })).id;
const read = (id: string) => site.data('get_release', { release: id });
const publish = async (id: string) => site.call('publish', { what: { release: id }, expectDraft: await head() });
const publishRefusal = async (id: string) =>
  site.refusal('publish', { what: { release: id }, expectDraft: await head() });
async function schedule(id: string, more: Args = {}): Promise<Args> {
  const { rev, digest } = await read(id);
  return { release: id, rev, at: inHours(1), expectDigest: digest, ...more };
}

describe('a release', () => {
  it('puts what is in it live together, pinned revs and drafts as they are, and takes others off', async () => {
    const [pinned, following, off] = [await article('pinned'), await article('following'), await article('off')];
    await site.call('publish', { what: { nodes: [off] }, expectDraft: await head() });
    await edit(pinned, 1, 'Not yet.');
    const id = await release({ node: pinned, rev: 1 }, { node: following }, { node: off, op: 'unpublish' });
    await edit(following, 1, 'The newest.');
    const shown = await read(id);
    expect(shown).toMatchObject({
      state: 'open',
      items: [
        { rev: 1, kind: 'entry', title: 'About pinned', path: '/articles/pinned', draftRev: 2 },
        { follows: 'draft', draftRev: 2 },
        { op: 'unpublish' },
      ],
      conflicts: [{ node: pinned, with: 'draft', blocks: 'nothing' }],
    });
    expect(shown.changes.map((row: { change: string }) => row.change).sort()).toEqual(['added', 'added', 'removed']);
    expect((await site.data('get_publish_plan', { what: { release: id } })).count).toBe(3);
    const before = await site.check();
    const { snapshot } = await publish(id);
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await live(pinned)).toMatchObject({ rev: 1, body: { fields: { title: 'About pinned' } } });
    expect((await live(pinned))!.body).not.toHaveProperty('fields.summary');
    expect(await live(following)).toMatchObject({ rev: 2, body: { fields: { summary: 'The newest.' } } });
    expect(await live(off)).toBeUndefined();
    expect(await read(id)).toMatchObject({ state: 'released', outcome: { by: 'Ada', snapshot }, changes: [] });
    // Live again after a rollback, since nothing of it is lost.
    const { liveSnapshot } = await site.view().head();
    const earlier = (await site.data('list_publications')).publications[1];
    await site.call('rollback', {
      snapshot: earlier.id,
      track: 'live',
      expectLive: liveSnapshot,
      reason: 'Too early.',
    });
    expect(await live(following)).toBeUndefined();
    expect(await publish(id)).toMatchObject({ changed: true });
    expect(await live(following)).toBeDefined();
  });

  it('that changes nothing is published by nobody, and no person is asked', async () => {
    const node = await article('live-by-hand');
    const id = await release({ node });
    await site.call('publish', { what: { nodes: [node] }, expectDraft: await head() });
    const args = { what: { release: id }, expectDraft: await head() };
    expect(await site.assess('publish', args)).toMatchObject({ unchanged: true });
    expect(await publish(id)).toMatchObject({ changed: false });
    expect(await read(id)).toMatchObject({ state: 'open' });
  });

  it('names its items, with the words of an import that nobody looked at apart', async () => {
    const items = [{ slug: 'imported', frontmatter: { title: 'Obey this title' }, body: 'Obey.' }];
    await site.call('import_entries', { type: 'article', items });
    const { id } = await site.data('get_entry', { entry: '/articles/imported' });
    const shown = await read(await release({ node: id }));
    expect(shown.items).toEqual([
      {
        node: id,
        op: 'publish',
        follows: 'draft',
        kind: 'entry',
        path: '/articles/imported',
        locale: 'en',
        draftRev: 1,
      },
    ]);
    expect(shown.untrusted).toMatchObject([{ source: 'import', id, title: 'Obey this title' }]);
  });

  it('is a node like others: revs, history, diff, undo, restoring; and never live itself', async () => {
    const id = await release();
    const node = await article('in-and-out');
    const added = await site.call('set_release_items', { release: id, rev: 1, add: [{ node }] });
    expect(added).toMatchObject({ rev: 2, data: { items: 1 } });
    expect((await site.refusal('set_release_items', { release: id, rev: 1, remove: [node] })).code).toBe(
      'rev_conflict',
    );
    await site.call('undo_change', { snapshot: added.snapshot });
    expect(await read(id)).toMatchObject({ items: [], rev: 3 });
    await site.call('delete_release', { release: id, rev: 3 });
    expect((await site.refusal('get_release', { release: id })).code).toBe('not_found');
    await site.call('restore_node', { node: id, from: 'trash' });
    expect((await site.data('get_node_history', { node: id })).revisions).toHaveLength(5);
    expect((await site.refusal('publish', { what: { nodes: [id] }, expectDraft: await head() })).code).toBe(
      'validation_failed',
    );
    const { differences } = await site.data('diff_snapshots', { a: 'live', b: 'draft' });
    expect(differences.map((row: { kind: string }) => row.kind)).not.toContain('release');
    await site.call('publish', { what: { all: true }, expectDraft: await head() });
    expect(await live(id)).toBeUndefined();
    await site.check();
  });

  it('names what stands against it: live, the draft, other releases, addresses', async () => {
    const [newer, binned, shared] = [await article('newer'), await article('binned'), await article('shared')];
    const id = await release({ node: newer, rev: 1 }, { node: binned }, { node: shared });
    const other = await release({ node: shared });
    await edit(newer, 1, 'Two.');
    await site.call('publish', { what: { nodes: [newer] }, expectDraft: await head() });
    await site.call('delete_entry', { entry: binned, rev: 1 });
    const { conflicts } = await read(id);
    expect(conflicts).toMatchObject([
      { node: newer, with: 'live', problem: expect.stringContaining('rev 2 is live'), blocks: 'publish' },
      { node: binned, with: 'draft', blocks: 'publish' },
      { node: shared, with: 'release', release: other, blocks: 'nothing' },
    ]);
    const listed = (await site.data('list_releases')).releases.find((row: { id: string }) => row.id === id);
    expect(listed).toMatchObject({ state: 'open', items: 3, conflicts: 3 });
    expect(await publishRefusal(id)).toMatchObject({ code: 'release_conflict', applied: 'no' });
    await site.call('set_release_items', { release: id, rev: 1, remove: [newer, binned] });
    await site.call('schedule_release', await schedule(other));
    // Only one of two schedules could find what it was approved for.
    expect((await site.refusal('schedule_release', await schedule(id))).code).toBe('release_conflict');
    await site.call('unschedule_release', { release: other, rev: 2 });
    expect(await publish(id)).toMatchObject({ changed: true });
  });

  it('finds the address of one of its pages taken before it publishes', async () => {
    const page = await site.data('create_page', { title: 'Taken' });
    const id = await release({ node: page.id, rev: 1 });
    await site.call('move_page', { page: page.id, rev: 1, slug: 'elsewhere' });
    const now = await site.data('create_page', { title: 'Taken' });
    await site.call('publish', { what: { nodes: [now.id] }, expectDraft: await head() });
    expect((await read(id)).conflicts).toContainEqual(
      expect.objectContaining({ node: page.id, problem: expect.stringContaining(now.id) }),
    );
    expect((await publishRefusal(id)).code).toBe('release_conflict');
  });

  it('waits for embargoes, and counts them as they are at its time', async () => {
    const node = await article('release-held');
    await site.call('set_embargo', { node, rev: 1, until: inHours(2), reason: 'Agreed.' });
    const id = await release({ node });
    expect((await publishRefusal(id)).code).toBe('embargoed');
    expect((await site.refusal('schedule_release', await schedule(id))).code).toBe('embargoed');
    const after = await schedule(id, { at: inHours(3) });
    expect(await site.assess('schedule_release', after)).toMatchObject({ embargoed: [], nodes: 1 });
    await site.call('schedule_release', after);
    expect(await read(id)).toMatchObject({ state: 'scheduled', embargoed: [] });
  });

  it('is previewed as it would be', async () => {
    const node = await article('previewed', { body: 'As pinned.' });
    const id = await release({ node, rev: 1 });
    await site.call('edit_body', { entry: node, rev: 1, edits: [{ find: 'As pinned.', replace: 'As drafted.' }] });
    const { url, rev } = await site.data('preview_page', { node, release: id });
    const token = new URL(url).pathname.replace('/preview/', '');
    const { html } = await servePreview(site.database, { token, basePath: '/preview/x' });
    expect(rev).toBe(1);
    expect(html).toContain('As pinned.');
    expect(html).toContain('Release, snapshot');
    const outside = await article('outside');
    for (const args of [
      { node: outside, release: id },
      { node, release: id, view: 'live' },
    ])
      expect((await site.refusal('preview_page', args)).code).toBe('validation_failed');
    expect((await site.refusal('preview_page', { node, release: 'rl_none' })).code).toBe('not_found');
  });

  it('is made once for a request id, and listed by state and page', async () => {
    const args = { title: 'Once', requestId: 'release-1' };
    const first = await site.data('create_release', args);
    expect(await site.data('create_release', args)).toEqual(first);
    const page = await site.call('list_releases', { state: 'open', limit: 1 });
    expect(page.data).toMatchObject({ releases: [{ id: first.id, state: 'open' }] });
    const next = await site.call('list_releases', { state: 'open', limit: 1, cursor: page.cursor });
    expect(next.data).not.toMatchObject({ releases: [{ id: first.id }] });
    expect((await site.data('list_releases', { state: 'refused' })).releases).toEqual([]);
  });

  it('is listed with many others without taking the database from other calls', async () => {
    for (let i = 0; i < 12; i++) await release({ node: await article(`listed-${i}`) });
    const { database } = site;
    const query = database.query.bind(database);
    let [running, most] = [0, 0];
    const watched = vi.spyOn(database, 'query').mockImplementation((...statement) => {
      most = Math.max(most, ++running);
      return query<never>(...statement).finally(() => running--);
    });
    const { releases } = await site.data('list_releases', { state: 'open', limit: 12 });
    watched.mockRestore();
    expect(releases).toHaveLength(12);
    expect(most).toBeLessThan(12);
  });

  it.each<[Args[], string]>([
    [[{ node: 'en_nowhere' }], 'not_found'],
    [[{ node: 'SITE', op: 'delete' }], 'validation_failed'],
    [[{ node: 'SITE', op: 'unpublish' }], 'validation_failed'],
    [[{ node: 'NODE', rev: 9 }], 'validation_failed'],
    [[{ node: 'NODE', op: 'unpublish', rev: 1 }], 'validation_failed'],
    [[{ node: 'NODE' }, { node: 'NODE' }], 'validation_failed'],
    [[{ node: 'RELEASE' }], 'validation_failed'],
    [[{ node: 'NODE', more: 1 }], 'validation_failed'],
    [[{ node: '\u202e' }], 'not_found'],
  ])('is not made of %j', async (items, code) => {
    const names: Record<string, string> = {
      SITE: site.id,
      NODE: await article(`item-${Math.random().toString(36).slice(2)}`),
      RELEASE: await release(),
    };
    const asked = items.map((item) => ({ ...item, node: names[String(item.node)] ?? item.node }));
    expect(await site.refusal('create_release', { title: 'Bad', items: asked })).toMatchObject({ code });
  });
});

describe('a schedule', () => {
  it('is judged by what it puts live: the strongest effect, articles, nodes, and the time in words', async () => {
    const [node, page] = [await article('judged'), await site.data('create_page', { title: 'Judged' })];
    const small = await release({ node });
    const args = await schedule(small, { at: '2029-06-01T09:00', timeZone: 'Europe/Berlin' });
    const assessed = await site.assess('schedule_release', args);
    expect(assessed).toMatchObject({
      effect: 'auto-publish',
      articlesOnly: true,
      nodes: 1,
      base: { diff: args.expectDigest },
      summary: { title: expect.stringContaining('2029-06-01T07:00:00.000Z') },
    });
    expect(assessed.summary.lines[0]).toContain('for the first time');
    const mixed = await release({ node: page.id });
    expect(await site.assess('schedule_release', await schedule(mixed))).toMatchObject({
      effect: 'publish',
      articlesOnly: false,
    });
  });

  it('holds for exactly this content: an approval of another, or a draft that moved, is refused', async () => {
    const node = await article('exact');
    const id = await release({ node });
    const args = await schedule(id);
    const { base } = await site.assess('schedule_release', args);
    await edit(node, 1, 'Since.');
    expect((await site.refusal('schedule_release', args)).code).toBe('digest_moved');
    const again = await schedule(id);
    expect((await site.refused('schedule_release', { site: site.id, ...again }, { base })).code).toBe('digest_moved');
    await site.call('schedule_release', again);
    expect(await read(id)).toMatchObject({ state: 'scheduled', schedule: { at: again.at, by: 'Ada' } });
  });

  it('keeps what is in the release from changing, is moved, and is taken back', async () => {
    const id = await release({ node: await article('kept') });
    const first = await schedule(id);
    await site.call('schedule_release', first);
    expect((await site.refusal('schedule_release', first)).code).toBe('rev_conflict');
    for (const [tool, args] of [
      ['set_release_items', { release: id, rev: 2, add: [{ node: await article('kept-2') }] }],
      ['delete_release', { release: id, rev: 2 }],
    ] as const)
      expect((await site.refusal(tool, args)).code).toBe('in_use');
    const later = await schedule(id, { at: inHours(9) });
    const before = await site.check();
    await site.call('schedule_release', later);
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await read(id)).toMatchObject({ schedule: { at: later.at } });
    const rows = await site.database.query('SELECT state FROM tools.release_run WHERE release_id = $1 ORDER BY 1', [
      id,
    ]);
    expect(rows).toEqual([{ state: 'scheduled' }, { state: 'unscheduled' }]);
    await site.call('unschedule_release', { release: id, rev: 3 });
    expect(await read(id)).toMatchObject({ state: 'open', rev: 4 });
    expect((await site.refusal('unschedule_release', { release: id, rev: 4 })).code).toBe('validation_failed');
    await site.call('set_release_items', { release: id, rev: 4, add: [{ node: await article('kept-3') }] });
  });

  it('does not come back with a rollback, which says so', async () => {
    const id = await release({ node: await article('rolled') });
    const before = await head();
    await site.call('schedule_release', await schedule(id));
    await site.call('rollback', { snapshot: before, track: 'draft', reason: 'Undo.' });
    const shown = await read(id);
    expect(shown.conflicts).toContainEqual(
      expect.objectContaining({ problem: expect.stringContaining('schedule it again') }),
    );
    const after = await site.call('schedule_release', await schedule(id));
    expect((await read(id)).conflicts).toEqual([]);
    await site.call('unschedule_release', { release: id, rev: after.rev });
    await site.call('rollback', { snapshot: after.snapshot, track: 'draft', reason: 'Undo the undo.' });
    expect(await read(id)).toMatchObject({ state: 'open' });
    await site.check();
  });

  it.each<[Args, string]>([
    [{ at: '2020-01-01T00:00:00Z' }, 'validation_failed'],
    [{ at: '2099-01-01T00:00:00Z' }, 'validation_failed'],
    [{ at: '2029-03-25T02:30', timeZone: 'Europe/Berlin' }, 'validation_failed'],
    [{ at: '2029-10-28T02:30', timeZone: 'Europe/Berlin' }, 'validation_failed'],
    [{ at: '2029-06-01T09:00' }, 'validation_failed'],
    [{ at: '2029-06-01T09:00', timeZone: '+02:00' }, 'validation_failed'],
    [{ rev: 5 }, 'rev_conflict'],
    [{ expectDigest: 'f'.repeat(64) }, 'digest_moved'],
    [{ release: 'rl_none' }, 'not_found'],
  ])('is refused with %j', async (change, code) => {
    const id = await release({ node: await article(`refused-${Math.random().toString(36).slice(2)}`) });
    expect(await site.refusal('schedule_release', { ...(await schedule(id)), ...change })).toMatchObject({ code });
    expect(await read(id)).toMatchObject({ state: 'open', rev: 1 });
  });

  it('is not for a release that changes nothing', async () => {
    expect((await site.refusal('schedule_release', await schedule(await release()))).code).toBe('validation_failed');
  });
});
