import type { Queryable } from '@cloudhal/shared/database';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addArticle, articleBody, openTestSite, pageBody, type TestSite } from '../testing/test-site.ts';
import type { Draft } from './draft.ts';
import { dryRun } from './mutate.ts';
import type { GraphNode } from './node.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ locales: ['en', 'de'] });
});
afterAll(() => site.drop());

async function errorOf(work: Promise<unknown>): Promise<CloudhalError['body']> {
  const error = await work.then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CloudhalError)) throw error;
  return error.body;
}

const rename =
  (node: GraphNode, title: string, rev = node.rev) =>
  (draft: Draft) =>
    draft.save('entry', node.id, rev, (body) => ({ ...body, fields: { ...body.fields, title } }));

describe('changing a site', () => {
  it('begins with one snapshot, its settings and the built-in types on both tracks', async () => {
    const { seq } = await site.check();
    expect(seq).toBeGreaterThanOrEqual(1);
    const live = await site.view().list({ kind: 'content_type', at: { track: 'live' } });
    expect(live.items.map((node) => [node.body.name, node.status])).toEqual([['article', 'published']]);
    expect(await site.view().head()).toMatchObject({ title: 'Example', locales: ['en', 'de'], defaultLocale: 'en' });
  });

  it('makes exactly one snapshot for a change of many nodes', async () => {
    const before = await site.check();
    const result = await site.change(async (draft) => {
      const page = await draft.create('page', pageBody('many'));
      await draft.save('page', page.id, 1, (body) => ({ ...body, title: 'Twice in one call' }));
      await draft.create('entry', articleBody('many'));
    });
    expect(result).toMatchObject({ changed: true, snapshot: expect.stringMatching(/^sn_/) });
    expect((await site.check()).seq).toBe(before.seq + 1);
    expect(await site.view().get('page', '/many')).toMatchObject({ rev: 1, body: { title: 'Twice in one call' } });
    expect(await site.view().snapshot(result.snapshot!)).toMatchObject({ changed: 2, tool: 'test_tool', actor: 'Ada' });
  });

  it('reads no further for a try that nobody waits for any more', async () => {
    const node = await addArticle(site, 'given-up');
    const waiting = new AbortController();
    let reads = 0;
    const counted: Queryable = {
      query(...asked) {
        reads++;
        return site.database.query(...asked);
      },
    };
    const tried = dryRun(counted, site.id, waiting.signal, async (draft) => {
      await draft.node(node.id);
      waiting.abort();
      await Promise.all(Array.from({ length: 50 }, (_, at) => draft.find('entry', `other-${at}`)));
      return { data: {} };
    });
    expect(await errorOf(tried)).toMatchObject({ code: 'deadline_exceeded_not_applied' });
    expect(reads).toBe(1);
  });

  it('makes no snapshot where nothing changes in the end', async () => {
    const node = await addArticle(site, 'unchanged');
    const before = await site.check();
    const result = await site.change(async (draft) => {
      const renamed = await rename(node, 'Another')(draft);
      await rename(renamed, 'About unchanged')(draft);
    });
    expect(result).toMatchObject({ changed: false });
    expect(result.snapshot).toBeUndefined();
    expect(await site.check()).toEqual(before);
  });

  it('stores nothing when the work throws', async () => {
    const before = await site.check();
    await expect(
      site.change(async (draft) => {
        await draft.create('entry', articleBody('thrown'));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await site.check()).toEqual(before);
    expect(await site.view().find('entry', 'thrown')).toBeUndefined();
  });

  it('refuses a stale rev and says what changed and who changed it', async () => {
    const node = await addArticle(site, 'stale');
    await site.change(rename(node, 'Newer'), { actor: { id: 'agent:bob', name: 'Bob' } });
    const { details, ...error } = await errorOf(site.change(rename(node, 'Mine')));
    expect(error).toMatchObject({
      code: 'rev_conflict',
      applied: 'no',
      next: expect.stringContaining('Read it again'),
    });
    expect(details).toMatchObject({ sent: 1, currentRev: 2, changedFields: ['fields.title'], by: ['Bob'] });
  });

  it('lets one of two writers win that read the same rev', async () => {
    const node = await addArticle(site, 'raced');
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => site.change(rename(node, `Writer ${i}`))),
    );
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(refused).toEqual(Array(7).fill('rev_conflict'));
    expect(await site.view().get('entry', node.id)).toMatchObject({ rev: 2 });
    await site.check();
  });

  it('numbers the snapshots of concurrent writers without a gap', async () => {
    const before = await site.check();
    const nodes = await Promise.all(Array.from({ length: 8 }, (_, i) => addArticle(site, `writer-${i}`)));
    await Promise.all(
      nodes.map(async (node) => {
        let current = node;
        for (let i = 0; i < 4; i++)
          current = (await site.change(rename(current, `Edit ${i}`))).data as GraphNode<'entry'>;
      }),
    );
    expect((await site.check()).seq).toBe(before.seq + 8 + 8 * 4);
  });

  it('refuses an address that is taken and names the node that has it', async () => {
    const node = await addArticle(site, 'taken');
    const error = await errorOf(addArticle(site, 'taken'));
    expect(error).toMatchObject({ code: 'slug_taken', details: { slug: '/articles/taken', by: node.id } });
    await expect(addArticle(site, 'taken', { locale: 'de' })).resolves.toBeDefined();
  });

  it('refuses an address already where a change is only tried, and that of another node of the change', async () => {
    const [a, b] = [await addArticle(site, 'tried-a'), await addArticle(site, 'tried-b')];
    const tried = (...slugs: string[]) =>
      dryRun(site.database, site.id, AbortSignal.timeout(5_000), async (draft) => {
        for (const [at, slug] of slugs.entries())
          await draft.save('entry', [a, b][at]!.id, 1, (body) => ({ ...body, slug }));
        return { data: null };
      });
    const details = { slug: '/articles/tried-b', by: b.id };
    expect(await errorOf(tried('tried-b'))).toMatchObject({ code: 'slug_taken', details });
    expect(await errorOf(tried('tried-c', 'tried-c'))).toMatchObject({ code: 'slug_taken' });
    await expect(tried('tried-b', 'tried-a')).resolves.toBeDefined();
  });

  it('lets two nodes swap their addresses in one change', async () => {
    const [a, b] = [await addArticle(site, 'swap-a'), await addArticle(site, 'swap-b')];
    await site.change(async (draft) => {
      await draft.save('entry', a.id, 1, (body) => ({ ...body, slug: 'swap-b' }));
      await draft.save('entry', b.id, 1, (body) => ({ ...body, slug: 'swap-a' }));
    });
    expect((await site.view().get('entry', '/articles/swap-a')).id).toBe(b.id);
  });

  it('gives an address free when its node goes to the trash, and keeps the node', async () => {
    const node = await addArticle(site, 'trashed');
    await site.change((draft) => draft.remove(node.id, 1));
    expect(await site.view().find('entry', node.id)).toBeUndefined();
    expect(await site.view().find('entry', node.id, { trash: true })).toMatchObject({ deleted: true, rev: 2 });
    await addArticle(site, 'trashed');
    const error = await errorOf(site.change((draft) => draft.restore(node, 2, node.body)));
    expect(error.code).toBe('slug_taken');
    await site.change((draft) => draft.restore(node, 2, { ...node.body, slug: 'trashed-again' }));
    expect(await site.view().get('entry', node.id)).toMatchObject({ rev: 3, path: '/articles/trashed-again' });
  });

  it('stores text exactly, and refuses what it could not', async () => {
    const body = 'Zürich 東京 \u202e \r\n\ttabs\u0001 𝄞 "quotes" \\ end  \n';
    const node = await addArticle(site, 'exact', { body });
    expect((await site.view().get('entry', node.id)).body.body).toBe(body);
    expect(await errorOf(addArticle(site, 'nul', { body: 'a\u0000b' }))).toMatchObject({
      code: 'validation_failed',
      details: { path: 'body' },
    });
    expect(await errorOf(addArticle(site, 'half', { fields: { title: '\ud800' } }))).toMatchObject({
      code: 'invalid_unicode',
    });
  });

  it('refuses a change whose approval saw other revs', async () => {
    const node = await addArticle(site, 'approved');
    await site.change(rename(node, 'Moved'));
    const current = await site.view().get('entry', node.id);
    const error = await errorOf(site.change(rename(current, 'Approved'), { base: { revs: { [node.id]: 1 } } }));
    expect(error).toMatchObject({ code: 'approval_stale', details: { what: [node.id] } });
    await expect(site.change(rename(current, 'Approved'), { base: { revs: { [node.id]: 2 } } })).resolves.toBeDefined();
  });

  it('makes a snapshot for what changes beside the tree, and names a restore point', async () => {
    const before = await site.check();
    await site.change(async (draft) => draft.touch({ id: 'cm_1' }));
    const { snapshot } = await site.change(async (draft) => draft.label('Before the launch'));
    const after = await site.check();
    expect(after).toEqual({ ...before, seq: before.seq + 2 });
    const { items } = await site.view().snapshots({ labelled: true });
    expect(items).toMatchObject([{ id: snapshot, label: 'Before the launch', changed: 0 }]);
  });

  it('undoes everything when a write beside the tree does not hit what it must', async () => {
    const before = await site.check();
    const error = await errorOf(
      site.change(async (draft) => {
        await draft.create('entry', articleBody('beside'));
        const otherwise = fail('in_progress');
        draft.write('UPDATE tools.preview SET track = track WHERE site_id = $1 RETURNING 1', [], {
          rows: 1,
          otherwise,
        });
      }),
    );
    expect(error.code).toBe('in_progress');
    expect(await site.check()).toEqual(before);
  });

  it('does not let a view change anything', async () => {
    await expect(site.view().rows('UPDATE tools.site SET slug = slug WHERE id = $1')).rejects.toThrow('SELECT');
    await expect(site.view().rows('WITH x AS (DELETE FROM tools.ver RETURNING 1) SELECT 1')).rejects.toThrow('SELECT');
  });
});
