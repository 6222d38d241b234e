import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assessCall } from '../assess.ts';
import type { GraphNode } from '../graph/node.ts';
import { openPublisher, type Publisher } from '../testing/publisher.ts';
import { addArticle, pageBody } from '../testing/test-site.ts';

let runner: Publisher;
beforeAll(async () => {
  runner = await openPublisher();
});
afterAll(() => runner.drop());

type PlanData = {
  expectDraft: string;
  nodes: { id: string; change: string }[];
  problems: string[];
  embargoed: object[];
};

const plan = async (what: object) => (await runner.call('get_publish_plan', { what })).data as PlanData;
describe('publishing', () => {
  it('shows readers what was chosen and nothing else, as one snapshot', async () => {
    const [a, b] = [await addArticle(runner, 'chosen'), await addArticle(runner, 'not-chosen')];
    const shown = await plan({ nodes: [a.id] });
    expect(shown.nodes).toMatchObject([{ id: a.id, change: 'added' }]);
    const before = await runner.check();
    const result = await runner.call('publish', { what: { nodes: [a.id] }, expectDraft: shown.expectDraft });
    expect(result).toMatchObject({ changed: true, data: { count: 1, nodes: [{ id: a.id, change: 'added' }] } });
    expect((await runner.check()).seq).toBe(before.seq + 1);
    expect(await runner.live(a.id)).toMatchObject([{ hash: a.hash, rev: 1 }]);
    expect(await runner.live(b.id)).toEqual([]);
    expect(await runner.view().status(a)).toBe('published');
  });

  it('again changes nothing and makes no snapshot', async () => {
    const node = await addArticle(runner, 'again');
    await runner.publishNow({ nodes: [node.id] });
    const before = await runner.check();
    expect(await runner.publishNow({ nodes: [node.id] })).toMatchObject({ changed: false });
    expect(await runner.check()).toEqual(before);
  });

  it('is refused when a chosen draft moved since the plan, and not for any other', async () => {
    const [node, other] = [await addArticle(runner, 'moved'), await addArticle(runner, 'other')];
    const { expectDraft } = await plan({ nodes: [node.id] });
    await runner.edit(other, { body: 'Elsewhere.' });
    await runner.call('publish', { what: { nodes: [node.id] }, expectDraft });
    const seen = await plan({ nodes: [node.id] });
    await runner.edit(node, { body: 'Since.' });
    const error = await runner.refused('publish', { what: { nodes: [node.id] }, expectDraft: seen.expectDraft });
    expect(error).toMatchObject({ code: 'digest_moved', applied: 'no' });
  });

  it('is refused when the approved changes are not those of now', async () => {
    const node = await addArticle(runner, 'bound');
    const args = { what: { nodes: [node.id] }, expectDraft: await runner.head() };
    const { base } = await assessCall(runner.deps, { tool: 'publish', site: runner.id, arguments: args });
    expect(base.diff).toMatch(/^[0-9a-f]{64}$/);
    await runner.edit(await addArticle(runner, 'bound-other'), { body: 'Not part of it.' });
    expect((await runner.refused('publish', args, { base: { diff: 'f'.repeat(64) } })).code).toBe('digest_moved');
    await expect(runner.call('publish', args, { base })).resolves.toMatchObject({ changed: true });
  });

  it('leaves embargoed nodes out, and refuses one that is named', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const held = await addArticle(runner, 'held');
    await runner.embargo(held.id, until);
    const free = await addArticle(runner, 'free');
    expect((await plan({ all: true })).embargoed).toMatchObject([{ node: held.id, until }]);
    const error = await runner.refused('publish', { what: { nodes: [held.id] }, expectDraft: await runner.head() });
    expect(error).toMatchObject({ code: 'embargoed', details: { node: held.id, until } });
    const result = await runner.publishNow({ all: true });
    expect(result.warnings?.[0]).toContain(held.id);
    expect(await runner.live(free.id)).toHaveLength(1);
    expect(await runner.live(held.id)).toEqual([]);
  });

  it('takes a node that went to the trash off the live site', async () => {
    const node = await addArticle(runner, 'binned');
    await runner.publishNow({ nodes: [node.id] });
    await runner.change((draft) => draft.remove(node.id, 1));
    expect((await plan({ nodes: [node.id] })).nodes).toMatchObject([{ id: node.id, change: 'removed' }]);
    await runner.publishNow({ nodes: [node.id] });
    expect(await runner.live(node.id)).toEqual([]);
    expect((await runner.check()).seq).toBeGreaterThan(0);
  });

  it('asks for either everything or nodes that exist', async () => {
    expect((await runner.refused('publish', { what: {}, expectDraft: await runner.head() })).code).toBe(
      'validation_failed',
    );
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
    const args = { what: { nodes: [node.id] }, expectDraft: await runner.head() };
    const { base } = await assessCall(runner.deps, { tool: 'publish', site: runner.id, arguments: args });
    const approval = { id: 'ap_1', channel: 'elicitation', decidedBy: 'person:1' };
    await runner.call('publish', args, { base, approval });
    const [published] = await runner.live(node.id);
    expect(published?.body).not.toHaveProperty('untrusted');
    expect(await runner.view().status(published!)).toBe('published');
  });
});

describe('the assessment of a publish', () => {
  const assess = async (nodes: string[]) =>
    assessCall(runner.deps, {
      tool: 'publish',
      site: runner.id,
      arguments: { what: { nodes }, expectDraft: await runner.head() },
    });

  it('says that only articles change, and shows each', async () => {
    const node = await addArticle(runner, 'assessed', { body: 'One.\n\nTwo.' });
    await runner.publishNow({ nodes: [node.id] });
    await runner.edit(node, { body: 'One.\n\nThree.', fields: { title: 'Another title' } });
    const assessment = await assess([node.id]);
    expect(assessment).toMatchObject({ effect: 'auto-publish', articlesOnly: true, nodes: 1, reasons: [] });
    expect(assessment.summary.title).toBe('Publish article "Another title" on "Example"');
    expect(assessment.summary.lines[0]).toContain('fields.title, body');
    const [row] = assessment.summary.diff as { body: string; change: string; title: string }[];
    expect(row).toMatchObject({ change: 'changed', title: '"Another title"' });
    expect(row!.body).toContain('-Two.\n');
    expect(row!.body).toContain('+Three.\n');
  });

  it('says where there is nothing to publish', async () => {
    const node = await addArticle(runner, 'live-already');
    expect(await assess([node.id])).not.toHaveProperty('unchanged');
    await runner.publishNow({ nodes: [node.id] });
    expect(await assess([node.id])).toMatchObject({ nodes: 0, unchanged: true });
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
    await runner.publishNow({ nodes: [node.id] });
    expect((await runner.refused('unpublish', { items: [{ node: node.id, rev: 9 }] })).code).toBe('rev_conflict');
    const twice = { items: [1, 1].map((rev) => ({ node: node.id, rev })) };
    expect((await runner.refused('unpublish', twice)).details).toMatchObject({ path: 'items[1].node' });
    await runner.call('unpublish', { items: [{ node: node.id, rev: 1 }] });
    expect(await runner.live(node.id)).toEqual([]);
    expect(await runner.view().get('entry', node.id)).toMatchObject({ hash: node.hash, rev: 1 });
    expect((await runner.refused('unpublish', { items: [{ node: node.id, rev: 1 }] })).code).toBe('validation_failed');
    await runner.check();
  });
});
