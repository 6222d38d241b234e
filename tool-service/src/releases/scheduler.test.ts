import { decideScheduled } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { type Permit, signPermit, verifyPastPermit } from '@cloudhal/shared/permit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runTool } from '../run-tool.ts';
import { openToolSite, type ToolSite } from '../tools/testing/tool-site.ts';
import { fireNext } from './scheduler.ts';

let site: ToolSite;
/** What policy-service answers, as far as this room sees it; `away` where it does not. */
let policy: (permit: Permit, callId: string) => Permit;
let stopPolicy: (() => Promise<void>) | undefined;
/** Happens between the permit and the change. */
let onPermitted: () => Promise<void>;

const granting = (permit: Permit, callId: string): Permit => ({ ...permit, callId, rule: 'scheduled' });

async function openPolicy(): Promise<void> {
  stopPolicy = await site.bus.answer(decideScheduled, async ({ callId, permit: past, diff }) => {
    const permit = verifyPastPermit(past, site.deps.verifier);
    if (permit.base?.diff !== diff) throw fail('digest_moved');
    return { permit: signPermit(policy(permit, callId), site.signer) };
  });
}
async function closePolicy(): Promise<void> {
  await stopPolicy?.();
  stopPolicy = undefined;
}

beforeAll(async () => {
  site = await openToolSite();
  site.deps.at = async (moment) => (moment === 'permitted' ? onPermitted() : undefined);
});
beforeEach(async () => {
  policy = granting;
  onPermitted = async () => undefined;
  if (!stopPolicy) await openPolicy();
  // Each story begins with nothing due.
  await site.database.query(`UPDATE tools.release_run SET state = 'unscheduled' WHERE state = 'scheduled'`);
});
afterAll(() => site.drop());

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
let names = 0;
async function article(): Promise<string> {
  names++;
  const fields = { title: `Article ${names}` };
  return (await site.data('create_entry', { type: 'article', slug: `article-${names}`, fields })).id;
}
const read = (release: string) => site.data('get_release', { release });
const live = async (id: string) => (await site.view().nodes([id], { track: 'live' }))[0];

/** A release of one article, scheduled under a permit that is bound to what goes live. */
async function scheduled(more: Partial<Permit> = {}): Promise<{ release: string; node: string }> {
  const node = await article();
  const { id: release } = await site.data('create_release', { title: 'Due', items: [{ node }] });
  await schedule(release, more);
  return { release, node };
}

async function schedule(release: string, more: Partial<Permit> = {}, hours = 1): Promise<void> {
  const { rev, digest } = await read(release);
  const at = new Date(Date.now() + hours * 3_600_000).toISOString();
  const args = { site: site.id, release, rev, at, expectDigest: digest };
  const { site: _, ...asked } = args;
  const { base } = await site.assess('schedule_release', asked);
  const { deps, signer, permitFor } = site;
  const permit = permitFor('schedule_release', args, { base, ...more });
  await runWith(deps, signPermit(permit, signer), args, permit.answerTo);
}

async function runWith(deps: ToolSite['deps'], permit: string, args: Record<string, unknown>, answerTo: string) {
  const context = { answerTo, budgetMs: 20_000, signal: AbortSignal.timeout(20_000) };
  return runTool(deps, 'content', { permit, arguments: args }, context);
}

/** Its time comes, so long ago. */
const comes = (release: string, ago = '0 seconds') =>
  site.database.query(
    `UPDATE tools.release_run SET at = clock_timestamp() - $2::interval, next_try_at = clock_timestamp() - $2::interval
     WHERE release_id = $1 AND state = 'scheduled'`,
    [release, ago],
  );
/** The worker that took it up is given up. */
const leaseEnds = (release: string) =>
  site.database.query(`UPDATE tools.release_run SET next_try_at = clock_timestamp() WHERE release_id = $1`, [release]);

describe('a scheduled release', () => {
  it('goes live at its time, as whoever scheduled it, as one snapshot that says so', async () => {
    const { release, node } = await scheduled();
    expect(await fireNext(site.deps)).toBe(false);
    await comes(release);
    const before = await site.check();
    expect(await fireNext(site.deps)).toBe(true);
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await live(node)).toBeDefined();
    const { snapshot } = await site.view().head();
    expect(await read(release)).toMatchObject({ state: 'released', outcome: { by: 'Ada', snapshot } });
    expect(await site.view().snapshot(snapshot)).toMatchObject({
      reason: 'scheduledRelease',
      tool: 'schedule_release',
      actor: 'Ada',
    });
    expect((await site.data('list_publications')).publications[0]).toMatchObject({ id: snapshot });
    const { callId } = await site.view().snapshot(snapshot);
    expect(
      (await site.record(callId)).map(({ type, tool, actor, outcome, decision }) => ({
        type,
        tool,
        by: actor.id,
        outcome: outcome?.state,
        rule: decision?.rule,
      })),
    ).toEqual([
      { type: 'attempted', tool: 'schedule_release', by: 'agent:ada', outcome: undefined, rule: 'scheduled' },
      { type: 'outcome', tool: 'schedule_release', by: 'agent:ada', outcome: 'succeeded', rule: undefined },
    ]);
    await leaseEnds(release);
    expect(await fireNext(site.deps)).toBe(false);
  });

  it('goes live once, however many workers try at once', async () => {
    const { release, node } = await scheduled();
    await comes(release);
    const before = await site.check();
    const tries = await Promise.all(Array.from({ length: 8 }, () => fireNext(site.deps)));
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await live(node)).toBeDefined();
  });

  it('goes live once, when a worker that was given up between permit and commit comes back', async () => {
    const { release, node } = await scheduled();
    await comes(release);
    let wake: () => void = () => undefined;
    const reached = new Promise<void>((arrived) => {
      onPermitted = () =>
        new Promise((resolve) => {
          wake = resolve;
          arrived();
        });
    });
    const hanging = fireNext(site.deps);
    await reached;
    // Nobody else takes it up while its lease lasts; a worker that died never comes back.
    expect(await fireNext(site.deps)).toBe(false);
    expect(await live(node)).toBeUndefined();
    onPermitted = async () => undefined;
    await leaseEnds(release);
    expect(await fireNext(site.deps)).toBe(true);
    const after = await site.check();
    expect(await read(release)).toMatchObject({ state: 'released' });
    wake();
    await hanging;
    expect(await site.check()).toEqual(after);
    expect(await read(release)).toMatchObject({ state: 'released' });
  });

  it('catches up after downtime, in the order of the times', async () => {
    const [first, second] = [await scheduled(), await scheduled()];
    await comes(second.release, '1 hour');
    await comes(first.release, '2 hours');
    while (await fireNext(site.deps));
    const published = (await site.data('list_publications')).publications.slice(0, 2);
    expect(published[0].id).toBe((await read(second.release)).outcome.snapshot);
    expect(published[1].id).toBe((await read(first.release)).outcome.snapshot);
  });

  it('waits for policy, and never goes live without its permit', async () => {
    const { release, node } = await scheduled();
    await comes(release);
    await closePolicy();
    expect(await fireNext(site.deps)).toBe(true);
    expect(await read(release)).toMatchObject({
      state: 'scheduled',
      waiting: { tries: 1, error: { code: 'policy_unavailable' } },
    });
    await openPolicy();
    // A permit for something else is none.
    policy = (permit, callId) => ({ ...granting(permit, callId), argumentsHash: 'another' });
    await leaseEnds(release);
    await fireNext(site.deps);
    expect(await live(node)).toBeUndefined();
    policy = granting;
    await leaseEnds(release);
    await fireNext(site.deps);
    expect(await live(node)).toBeDefined();
    expect(await read(release)).not.toHaveProperty('waiting');
  });

  it.each<[string, string, (it: { release: string; node: string }) => Promise<unknown>]>([
    [
      'a draft in it changed',
      'digest_moved',
      ({ node }) => site.call('update_entry', { entry: node, rev: 1, set: { summary: 'Other.' } }),
    ],
    [
      'a draft in it went to the trash',
      'digest_moved',
      ({ node }) => site.call('delete_entry', { entry: node, rev: 1 }),
    ],
    [
      'it was published by hand',
      'digest_moved',
      async ({ node }) =>
        site.call('publish', { what: { nodes: [node] }, expectDraft: (await site.view().head()).snapshot }),
    ],
    ['an embargo was set since', 'embargoed', ({ node }) => site.embargo(node, '2099-01-01T00:00:00Z')],
    [
      'a rollback took its schedule',
      'digest_moved',
      async ({ release }) => {
        const [{ snapshot }] = (await site.data('get_node_history', { node: release })).revisions.slice(-1);
        await site.call('rollback', { snapshot, track: 'draft', reason: 'Back.' });
      },
    ],
    [
      'policy says no',
      'approval_revoked',
      async () => {
        policy = () => {
          throw fail('approval_revoked');
        };
      },
    ],
    [
      'its key was revoked after the permit',
      'unauthorized',
      async () => {
        // A key that no worker has looked at within the last second.
        const keyId = 'key-of-two';
        policy = (permit, callId) => granting({ ...permit, principal: { ...permit.principal, keyId } }, callId);
        onPermitted = () => site.keyValue.set(`revoked:${keyId}`, '1');
      },
    ],
    [
      'an embargo was set after the permit',
      'embargoed',
      async ({ node }) => {
        onPermitted = async () => void (await site.embargo(node, '2099-01-01T00:00:00Z'));
      },
    ],
    [
      'a draft in it changed after the permit',
      'digest_moved',
      async ({ node }) => {
        onPermitted = async () =>
          void (await site.call('update_entry', { entry: node, rev: 1, set: { summary: 'Late.' } }));
      },
    ],
  ])('is refused where %s, for good and with the reason', async (_, code, happens) => {
    const { release, node } = await scheduled();
    await happens({ release, node });
    const { liveSnapshot } = await site.view().head();
    await comes(release);
    expect(await fireNext(site.deps)).toBe(true);
    expect((await site.view().head()).liveSnapshot).toBe(liveSnapshot);
    expect(await read(release)).toMatchObject({ state: 'refused', outcome: { error: { code } } });
    expect((await site.data('list_releases', { state: 'refused' })).releases[0]).toMatchObject({ id: release });
    await leaseEnds(release);
    expect(await fireNext(site.deps)).toBe(false);
    await site.check();
  });

  it('goes live when an embargo ends at its time, though the clock of the worker is behind', async () => {
    const node = await article();
    const at = new Date(Date.now() + 60_000).toISOString();
    await site.embargo(node, at);
    const { id: release } = await site.data('create_release', { title: 'Due', items: [{ node }] });
    await schedule(release, {}, 1 / 60);
    await site.database.query('UPDATE tools.embargo SET until = clock_timestamp() WHERE node_id = $1', [node]);
    await comes(release);
    site.deps.now = () => new Date(Date.now() - 500);
    await fireNext(site.deps);
    site.deps.now = () => new Date();
    expect(await read(release)).toMatchObject({ state: 'released' });
  });

  it('waits for an embargo that ends shortly after its time', async () => {
    const { release, node } = await scheduled();
    await site.embargo(node, new Date(Date.now() + 120_000).toISOString());
    await comes(release);
    await fireNext(site.deps);
    expect(await read(release)).toMatchObject({ state: 'scheduled', waiting: { error: { code: 'embargoed' } } });
    await site.database.query('DELETE FROM tools.embargo WHERE node_id = $1', [node]);
    await leaseEnds(release);
    await fireNext(site.deps);
    expect(await read(release)).toMatchObject({ state: 'released' });
  });

  it.each([['live'], ['off']])(
    'goes live although a picture that it shows went %s with something else',
    async (way) => {
      const { id: asset } = await site.data('upload_asset', { filename: 'p.png', base64: pixel, alt: 'A picture.' });
      const body = `![x](asset:${asset})`;
      const shows = async () => {
        const node = await article();
        await site.call('update_entry', { entry: node, rev: 1, body });
        return node;
      };
      const [node, other] = [await shows(), await shows()];
      const publish = async () =>
        site.call('publish', { what: { nodes: [other] }, expectDraft: (await site.view().head()).snapshot });
      if (way === 'off') await publish();
      const { id: release } = await site.data('create_release', { title: 'Due', items: [{ node }] });
      await schedule(release);
      if (way === 'live') await publish();
      else await site.call('unpublish', { items: [{ node: other, rev: 2 }] });
      await comes(release);
      await fireNext(site.deps);
      expect(await read(release)).toMatchObject({ state: 'released' });
      expect(await live(asset)).toBeDefined();
    },
  );

  it('is refused where a picture that it shows changed', async () => {
    const { id: asset } = await site.data('upload_asset', { filename: 'q.png', base64: pixel, alt: 'Before.' });
    const { node } = await scheduled();
    await site.call('update_entry', { entry: node, rev: 1, body: `![x](asset:${asset})` });
    const { id: release } = await site.data('create_release', { title: 'Due', items: [{ node }] });
    await site.database.query(`UPDATE tools.release_run SET state = 'unscheduled' WHERE state = 'scheduled'`);
    await schedule(release);
    const { rev } = await site.data('get_asset', { asset });
    await site.call('update_asset', { asset, rev, set: { alt: 'After.' } });
    await comes(release);
    await fireNext(site.deps);
    expect(await read(release)).toMatchObject({ state: 'refused', outcome: { error: { code: 'digest_moved' } } });
  });

  it('that was taken back or moved while it was tried does not go live', async () => {
    const [taken, moved] = [await scheduled(), await scheduled()];
    onPermitted = async () => void (await site.call('unschedule_release', { release: taken.release, rev: 2 }));
    await comes(taken.release);
    await fireNext(site.deps);
    expect(await live(taken.node)).toBeUndefined();
    expect(await read(taken.release)).toMatchObject({ state: 'open' });
    onPermitted = () => schedule(moved.release, {}, 8);
    await comes(moved.release);
    await fireNext(site.deps);
    expect(await live(moved.node)).toBeUndefined();
    expect(await read(moved.release)).toMatchObject({ state: 'scheduled' });
  });

  it('can be scheduled again after it was refused', async () => {
    const { release, node } = await scheduled();
    await site.call('update_entry', { entry: node, rev: 1, set: { summary: 'New.' } });
    await comes(release);
    await fireNext(site.deps);
    await schedule(release);
    await comes(release);
    await fireNext(site.deps);
    expect(await live(node)).toMatchObject({ rev: 2 });
  });

  it('under a permit for its time does nothing before it', async () => {
    const { release, node } = await scheduled();
    const [run] = await site.database.query<{ permit: string; arguments: Record<string, unknown> }>(
      'SELECT permit, arguments FROM tools.release_run WHERE release_id = $1',
      [release],
    );
    const past = verifyPastPermit(run!.permit, site.deps.verifier);
    const early = signPermit(granting(past, 'early'), site.signer);
    await expect(runWith(site.deps, early, run!.arguments, past.answerTo)).rejects.toMatchObject({
      code: 'release_conflict',
    });
    expect(await live(node)).toBeUndefined();
  });
});
