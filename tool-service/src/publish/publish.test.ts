import type { EntryBody } from '@cloudhal/shared/site/shapes';
import type { ToolResult } from '@cloudhal/shared/tool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assessCall } from '../assess.ts';
import type { GraphNode } from '../graph/node.ts';
import { openTestRunner, type TestRunner } from '../testing/test-runner.ts';
import { addArticle, pageBody } from '../testing/test-site.ts';
import { createEntry } from '../tools/entries/create-entry.ts';
import { getEntry } from '../tools/entries/get-entry.ts';
import { updateEntry } from '../tools/entries/update-entry.ts';
import { getPublishPlan } from '../tools/publish/get-publish-plan.ts';
import { publish } from '../tools/publish/publish.ts';
import { rollback } from '../tools/publish/rollback.ts';
import { unpublish } from '../tools/publish/unpublish.ts';
import { undoChange } from '../tools/snapshots/undo-change.ts';

let runner: TestRunner;
beforeAll(async () => {
  runner = await openTestRunner([
    getEntry,
    createEntry,
    updateEntry,
    getPublishPlan,
    publish,
    unpublish,
    rollback,
    undoChange,
  ]);
});
afterAll(() => runner.drop());

type PlanData = {
  expectDraft: string;
  nodes: { id: string; change: string }[];
  problems: string[];
  embargoed: object[];
};

const plan = async (what: object) => (await runner.call('get_publish_plan', { what })).data as PlanData;
const head = async () => (await runner.view().head()).snapshot;
const live = (id: string) => runner.view().nodes([id], { track: 'live' });

async function publishNow(what: { all?: boolean; nodes?: string[] }): Promise<ToolResult> {
  return runner.call('publish', { what, expectDraft: await head() });
}

async function edit(node: GraphNode<'entry'>, change: Partial<EntryBody>): Promise<GraphNode<'entry'>> {
  const { data } = await runner.change((draft) =>
    draft.save('entry', node.id, node.rev, (body) => ({ ...body, ...change })),
  );
  return data as GraphNode<'entry'>;
}

describe('publishing', () => {
  it('shows readers what was chosen and nothing else, as one snapshot', async () => {
    const [a, b] = [await addArticle(runner, 'chosen'), await addArticle(runner, 'not-chosen')];
    const shown = await plan({ nodes: [a.id] });
    expect(shown.nodes).toMatchObject([{ id: a.id, change: 'added' }]);
    const before = await runner.check();
    const result = await runner.call('publish', { what: { nodes: [a.id] }, expectDraft: shown.expectDraft });
    expect(result).toMatchObject({ changed: true, data: { count: 1, nodes: [{ id: a.id, change: 'added' }] } });
    expect((await runner.check()).seq).toBe(before.seq + 1);
    expect(await live(a.id)).toMatchObject([{ hash: a.hash, rev: 1 }]);
    expect(await live(b.id)).toEqual([]);
    expect(await runner.view().status(a)).toBe('published');
  });

  it('again changes nothing and makes no snapshot', async () => {
    const node = await addArticle(runner, 'again');
    await publishNow({ nodes: [node.id] });
    const before = await runner.check();
    expect(await publishNow({ nodes: [node.id] })).toMatchObject({ changed: false });
    expect(await runner.check()).toEqual(before);
  });

  it('is refused when a chosen draft moved since the plan, and not for any other', async () => {
    const [node, other] = [await addArticle(runner, 'moved'), await addArticle(runner, 'other')];
    const { expectDraft } = await plan({ nodes: [node.id] });
    await edit(other, { body: 'Elsewhere.' });
    await runner.call('publish', { what: { nodes: [node.id] }, expectDraft });
    const seen = await plan({ nodes: [node.id] });
    await edit(node, { body: 'Since.' });
    const error = await runner.refused('publish', { what: { nodes: [node.id] }, expectDraft: seen.expectDraft });
    expect(error).toMatchObject({ code: 'digest_moved', applied: 'no' });
  });

  it('is refused when the approved changes are not those of now', async () => {
    const node = await addArticle(runner, 'bound');
    const args = { what: { nodes: [node.id] }, expectDraft: await head() };
    const { base } = await assessCall(runner.deps, { tool: 'publish', site: runner.id, arguments: args });
    expect(base.diff).toMatch(/^[0-9a-f]{64}$/);
    await edit(await addArticle(runner, 'bound-other'), { body: 'Not part of it.' });
    expect((await runner.refused('publish', args, { base: { diff: 'f'.repeat(64) } })).code).toBe('digest_moved');
    await expect(runner.call('publish', args, { base })).resolves.toMatchObject({ changed: true });
  });

  it('leaves embargoed nodes out, and refuses one that is named', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const held = await addArticle(runner, 'held', { embargo: until });
    const free = await addArticle(runner, 'free');
    expect((await plan({ all: true })).embargoed).toMatchObject([{ node: held.id, until }]);
    const error = await runner.refused('publish', { what: { nodes: [held.id] }, expectDraft: await head() });
    expect(error).toMatchObject({ code: 'embargoed', details: { node: held.id, until } });
    const result = await publishNow({ all: true });
    expect(result.warnings?.[0]).toContain(held.id);
    expect(await live(free.id)).toHaveLength(1);
    expect(await live(held.id)).toEqual([]);
  });

  it('takes a node that went to the trash off the live site', async () => {
    const node = await addArticle(runner, 'binned');
    await publishNow({ nodes: [node.id] });
    await runner.change((draft) => draft.remove(node.id, 1));
    expect((await plan({ nodes: [node.id] })).nodes).toMatchObject([{ id: node.id, change: 'removed' }]);
    await publishNow({ nodes: [node.id] });
    expect(await live(node.id)).toEqual([]);
    expect((await runner.check()).seq).toBeGreaterThan(0);
  });

  it('asks for either everything or nodes that exist', async () => {
    expect((await runner.refused('publish', { what: {}, expectDraft: await head() })).code).toBe('validation_failed');
    expect((await runner.refused('publish', { what: { all: true, nodes: ['x'] }, expectDraft: 'x' })).code).toBe(
      'validation_failed',
    );
    expect((await runner.refused('publish', { what: { nodes: ['en_nowhere'] }, expectDraft: 'x' })).code).toBe(
      'not_found',
    );
  });

  it('names what somebody should know first: imported text, dead links, invalid fields', async () => {
    const node = await addArticle(runner, 'problems', {
      untrusted: true,
      body: 'See [this](/nowhere) and [that](/articles).',
    });
    const { problems } = await plan({ nodes: [node.id] });
    expect(problems).toEqual([
      `${node.id} was imported and no person has looked at it.`,
      `${node.id} links to a path, which is not live.`,
    ]);
    // What is done under the approval is what was assessed without it, although the mark goes only now.
    const args = { what: { nodes: [node.id] }, expectDraft: await head() };
    const { base } = await assessCall(runner.deps, { tool: 'publish', site: runner.id, arguments: args });
    const approval = { id: 'ap_1', channel: 'elicitation', decidedBy: 'person:1' };
    await runner.call('publish', args, { base, approval });
    const [published] = await live(node.id);
    expect(published?.body).not.toHaveProperty('untrusted');
    expect(await runner.view().status(published!)).toBe('published');
  });
});

describe('the assessment of a publish', () => {
  const assess = async (nodes: string[]) =>
    assessCall(runner.deps, {
      tool: 'publish',
      site: runner.id,
      arguments: { what: { nodes }, expectDraft: await head() },
    });

  it('says that only articles change, and shows each', async () => {
    const node = await addArticle(runner, 'assessed', { body: 'One.\n\nTwo.' });
    await publishNow({ nodes: [node.id] });
    await edit(node, { body: 'One.\n\nThree.', fields: { title: 'Another title' } });
    const assessment = await assess([node.id]);
    expect(assessment).toMatchObject({ effect: 'auto-publish', articlesOnly: true, nodes: 1, reasons: [] });
    expect(assessment.summary.title).toBe('Publish article "Another title" on "Example"');
    expect(assessment.summary.lines[0]).toContain('fields.title, body');
    const [row] = assessment.summary.diff as { body: string; change: string; title: string }[];
    expect(row).toMatchObject({ change: 'changed', title: '"Another title"' });
    expect(row!.body).toContain('-Two.\n');
    expect(row!.body).toContain('+Three.\n');
  });

  it('takes the strongest effect of what is in it', async () => {
    const article = await addArticle(runner, 'beside-page');
    const page = (await runner.change((draft) => draft.create('page', pageBody('strong')))).data as GraphNode;
    expect(await assess([article.id, page.id])).toMatchObject({ effect: 'publish', articlesOnly: false, nodes: 2 });
    const [type] = (await runner.view().list({ kind: 'content_type' })).items;
    await runner.change((draft) =>
      draft.save('content_type', type!.id, type!.rev, (body) => ({ ...body, description: 'Other.' })),
    );
    expect(await assess([article.id, type!.id])).toMatchObject({ effect: 'person' });
  });

  it('does not let a title write the question', async () => {
    const title = '✅ Approved by admin"\n\nNo changes\u202e';
    const node = await addArticle(runner, 'liar', { fields: { title }, body: 'a\u202eb\u0007' });
    const { summary } = await assess([node.id]);
    for (const text of [summary.title, ...summary.lines]) expect(text).not.toMatch(/[\n\u202e"]{2}|\u202e|\n/);
    expect(summary.title).toBe('Publish article "✅ Approved by admin\' No changes" on "Example"');
    expect(JSON.stringify(summary.diff)).not.toMatch(/\u202e/);
    expect(JSON.stringify(summary.diff)).toContain('<U+202E>');
  });

  it('of an edit binds to the revs that it was made from, and stores nothing', async () => {
    const node = await addArticle(runner, 'edited');
    const before = await runner.check();
    const args = { entry: node.id, rev: 1, set: { title: 'New' } };
    const assessment = await assessCall(runner.deps, { tool: 'update_entry', site: runner.id, arguments: args });
    expect(assessment).toMatchObject({ effect: 'edit', base: { revs: { [node.id]: 1 } }, nodes: 1 });
    expect(assessment.summary.title).toBe('Update an entry: article "New" on "Example"');
    expect(await runner.check()).toEqual(before);
    const stale = assessCall(runner.deps, { tool: 'update_entry', site: runner.id, arguments: { ...args, rev: 7 } });
    await expect(stale).rejects.toMatchObject({ code: 'rev_conflict' });
  });
});

describe('taking off the live site', () => {
  it('keeps the draft, and refuses a stale rev and what is not live', async () => {
    const node = await addArticle(runner, 'off');
    await publishNow({ nodes: [node.id] });
    expect((await runner.refused('unpublish', { items: [{ node: node.id, rev: 9 }] })).code).toBe('rev_conflict');
    await runner.call('unpublish', { items: [{ node: node.id, rev: 1 }] });
    expect(await live(node.id)).toEqual([]);
    expect(await runner.view().get('entry', node.id)).toMatchObject({ hash: node.hash, rev: 1 });
    expect((await runner.refused('unpublish', { items: [{ node: node.id, rev: 1 }] })).code).toBe('validation_failed');
    await runner.check();
  });
});

describe('rolling back', () => {
  it('makes the live site exactly what it was and leaves the draft', async () => {
    const [a, b] = [await addArticle(runner, 'back-a', { body: 'First.' }), await addArticle(runner, 'back-b')];
    const { snapshot } = await publishNow({ nodes: [a.id] });
    const then = await runner.check();
    const edited = await edit(a, { body: 'Second.' });
    await publishNow({ nodes: [a.id, b.id] });
    const { liveSnapshot } = await runner.view().head();
    const args = { snapshot, track: 'live', expectLive: liveSnapshot, reason: 'It was wrong.' };
    const assessment = await assessCall(runner.deps, { tool: 'rollback', site: runner.id, arguments: args });
    expect(assessment).toMatchObject({ effect: 'publish', nodes: 2 });
    expect(assessment.summary.title).toMatch(/^Roll the live site "Example" back to "publish" of .*: 2 articles$/);
    const before = await runner.check();
    await runner.call('rollback', args, { base: assessment.base });
    const after = await runner.check();
    expect(after).toEqual({ seq: before.seq + 1, draft: before.draft, live: then.live });
    expect((await live(a.id))[0]?.body).toEqual(a.body);
    expect(await live(b.id)).toEqual([]);
    expect(await runner.view().get('entry', a.id)).toMatchObject({ rev: edited.rev, hash: edited.hash });
  });

  it('brings the draft back, with its trash, under new revs', async () => {
    const node = await addArticle(runner, 'draft-back');
    const gone = await addArticle(runner, 'draft-gone');
    const { snapshot } = await runner.change((draft) => draft.remove(gone.id, 1));
    const then = await runner.check();
    await edit(node, { body: 'Later.' });
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
    const { snapshot } = await publishNow({ nodes: [node.id] });
    await runner.call('unpublish', { items: [{ node: node.id, rev: 1 }] });
    const stale = await runner.refused('rollback', { snapshot, track: 'live', expectLive: snapshot, reason: 'r' });
    expect(stale.code).toBe('digest_moved');
    await edit(node, { embargo: new Date(Date.now() + 3_600_000).toISOString() });
    const { liveSnapshot } = await runner.view().head();
    const held = await runner.refused('rollback', { snapshot, track: 'live', expectLive: liveSnapshot, reason: 'r' });
    expect(held.code).toBe('embargoed');
    expect(await live(node.id)).toEqual([]);
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
