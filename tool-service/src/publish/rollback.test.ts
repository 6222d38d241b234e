import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assessCall } from '../assess.ts';
import { openPublisher, type Publisher } from '../testing/publisher.ts';
import { addArticle } from '../testing/test-site.ts';

let runner: Publisher;
beforeAll(async () => {
  runner = await openPublisher();
});
afterAll(() => runner.drop());

describe('rolling back', () => {
  it('makes the live site exactly what it was and leaves the draft', async () => {
    const [a, b] = [await addArticle(runner, 'back-a', { body: 'First.' }), await addArticle(runner, 'back-b')];
    const { snapshot } = await runner.publishNow({ nodes: [a.id] });
    const then = await runner.check();
    const edited = await runner.edit(a, { body: 'Second.' });
    await runner.publishNow({ nodes: [a.id, b.id] });
    const { liveSnapshot } = await runner.view().head();
    const args = { snapshot, track: 'live', expectLive: liveSnapshot, reason: 'It was wrong.' };
    const assessment = await assessCall(runner.deps, { tool: 'rollback', site: runner.id, arguments: args });
    expect(assessment).toMatchObject({ effect: 'publish', nodes: 2 });
    expect(assessment.summary.title).toMatch(/^Roll the live site "Example" back to "publish" of .*: 2 articles$/);
    const before = await runner.check();
    await runner.call('rollback', args, { base: assessment.base });
    const after = await runner.check();
    expect(after).toEqual({ seq: before.seq + 1, draft: before.draft, live: then.live });
    expect((await runner.live(a.id))[0]?.body).toEqual(a.body);
    expect(await runner.live(b.id)).toEqual([]);
    expect(await runner.view().get('entry', a.id)).toMatchObject({ rev: edited.rev, hash: edited.hash });
  });

  it('brings the draft back, with its trash, under new revs', async () => {
    const node = await addArticle(runner, 'draft-back');
    const gone = await addArticle(runner, 'draft-gone');
    const { snapshot } = await runner.change((draft) => draft.remove(gone.id, 1));
    const then = await runner.check();
    await runner.edit(node, { body: 'Later.' });
    const later = await addArticle(runner, 'draft-later');
    await runner.change((draft) => draft.restore(gone, 2, gone.body));
    await runner.call('rollback', { snapshot, track: 'draft', reason: 'Undo all.' });
    expect((await runner.check()).draft).toBe(then.draft);
    expect(await runner.view().get('entry', node.id)).toMatchObject({ rev: 3, hash: node.hash });
    expect(await runner.view().find('entry', later.id, { trash: true })).toBeUndefined();
    expect(await runner.view().find('entry', gone.id, { trash: true })).toMatchObject({ deleted: true, rev: 4 });
    // What was not there then can still be brought back, and its revs go on.
    await runner.change((draft) => draft.restore(later, undefined, later.body));
    expect(await runner.view().get('entry', later.id)).toMatchObject({ rev: 2 });
  });

  it('is refused when the live site moved, and never shows what is embargoed', async () => {
    const node = await addArticle(runner, 'back-held', { body: 'Secret.' });
    const { snapshot } = await runner.publishNow({ nodes: [node.id] });
    await runner.call('unpublish', { items: [{ node: node.id, rev: 1 }] });
    const stale = await runner.refused('rollback', { snapshot, track: 'live', expectLive: snapshot, reason: 'r' });
    expect(stale.code).toBe('digest_moved');
    await runner.embargo(node.id, new Date(Date.now() + 3_600_000).toISOString());
    const { liveSnapshot } = await runner.view().head();
    const held = await runner.refused('rollback', { snapshot, track: 'live', expectLive: liveSnapshot, reason: 'r' });
    expect(held.code).toBe('embargoed');
    expect(await runner.live(node.id)).toEqual([]);
    expect((await runner.refused('rollback', { snapshot, track: 'both', reason: 'r' })).code).toBe('validation_failed');
  });
});

describe('undoing a change', () => {
  const title = async (id: string) => (await runner.view().get('entry', id)).body.fields.title;
  const setTitle = (id: string, rev: number, value: string) =>
    runner.call('update_entry', { entry: id, rev, set: { title: value } });

  it('takes one change back and leaves later ones of other fields', async () => {
    const node = await addArticle(runner, 'undo', { body: 'Text.' });
    const { snapshot } = await setTitle(node.id, 1, 'Wrong');
    await runner.call('update_entry', { entry: node.id, rev: 2, set: { summary: 'Later.' }, body: 'Later text.' });
    const dry = await runner.call('undo_change', { snapshot, dryRun: true });
    expect(dry).toMatchObject({ changed: false, data: { count: 1 } });
    expect(await title(node.id)).toBe('Wrong');
    await runner.call('undo_change', { snapshot });
    expect(await runner.view().get('entry', node.id)).toMatchObject({
      rev: 4,
      body: { fields: { title: 'About undo', summary: 'Later.' }, body: 'Later text.' },
    });
    expect(await runner.call('undo_change', { snapshot })).toMatchObject({ changed: false });
  });

  it('does nothing at all where later edits touch the same field, and names it', async () => {
    const [a, b] = [await addArticle(runner, 'undo-a'), await addArticle(runner, 'undo-b')];
    const { snapshot } = await runner.change(async (draft) => {
      for (const node of [a, b])
        await draft.save('entry', node.id, 1, (body) => ({ ...body, fields: { title: 'Both' } }));
    });
    await setTitle(b.id, 2, 'Mine');
    const before = await runner.check();
    const error = await runner.refused('undo_change', { snapshot });
    expect(error).toMatchObject({ code: 'undo_conflict', details: { nodes: [`${b.id} (fields.title)`] } });
    expect(await runner.check()).toEqual(before);
    expect(await title(a.id)).toBe('Both');
  });

  it('of a creation moves the node to the trash, and of a removal brings it back', async () => {
    const { snapshot, data } = await runner.call('create_entry', { type: 'article', fields: { title: 'Undone' } });
    const { id } = data as { id: string };
    const assessed = await assessCall(runner.deps, { tool: 'undo_change', site: runner.id, arguments: { snapshot } });
    expect(assessed.effect).toBe('delete');
    const removal = await runner.call('undo_change', { snapshot });
    expect(await runner.view().find('entry', id)).toBeUndefined();
    await runner.call('undo_change', { snapshot: removal.snapshot });
    expect(await title(id)).toBe('Undone');
  });
});
