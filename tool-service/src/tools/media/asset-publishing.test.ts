import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainPng } from '../../media/testing/pictures.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite();
  await publish({ all: true });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

let shade = 0;
async function image(): Promise<string> {
  const base64 = (await plainPng(20, 10, ++shade)).toString('base64');
  return (await site.data('upload_asset', { filename: 'a.png', base64, alt: 'A shade' })).id;
}
const showing = (...ids: string[]) => ids.map((id) => `![](asset:${id})`).join('\n\n') || 'None.';
async function article(...ids: string[]): Promise<string> {
  const fields = { title: `Article ${++shade}` };
  return (await site.data('create_entry', { type: 'article', fields, body: showing(...ids) })).id;
}
const rev = async (id: string) => (await site.view().node(id)).rev;
const change = async (entry: string, body: string) => site.call('update_entry', { entry, rev: await rev(entry), body });
const plan = (what: object) => site.data('get_publish_plan', { what });
async function publish(what: object) {
  return site.call('publish', { what, expectDraft: (await site.view().head()).snapshot });
}
async function assessed(what: object) {
  return site.assess('publish', { what, expectDraft: (await site.view().head()).snapshot });
}
const isLive = async (id: string) => (await site.view().nodes([id], { track: 'live' })).length === 1;
const unpublish = async (...ids: string[]) =>
  site.call('unpublish', { items: await Promise.all(ids.map(async (node) => ({ node, rev: await rev(node) }))) });
async function embargo(node: string) {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await site.call('set_embargo', { node, rev: await rev(node), until, reason: 'Not yet.' });
}

describe('what is not public yet', () => {
  it('keeps its assets to itself when all else goes live, and gives those that others show', async () => {
    const [secret, shared, loose] = [await image(), await image(), await image()];
    const held = await article(secret, shared);
    await embargo(held);
    const free = await article(shared);
    const { nodes, embargoed } = await plan({ all: true });
    expect(nodes.map(({ id }: { id: string }) => id).toSorted()).toEqual([free, shared].toSorted());
    expect(embargoed.map(({ node }: { node: string }) => node).toSorted()).toEqual([held, secret].toSorted());
    await publish({ all: true });
    expect(await Promise.all([secret, shared, loose, held, free].map(isLive))).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  it('keeps its assets also where they are named, in a publish or a release', async () => {
    const secret = await image();
    await embargo(await article(secret));
    const args = { what: { nodes: [secret] }, expectDraft: (await site.view().head()).snapshot };
    expect(await site.refusal('publish', args)).toMatchObject({ code: 'embargoed', details: { node: secret } });
    const { id } = await site.data('create_release', { title: 'Early', items: [{ node: secret, op: 'publish' }] });
    const release = { what: { release: id }, expectDraft: (await site.view().head()).snapshot };
    expect(await site.refusal('publish', release)).toMatchObject({ code: 'embargoed' });
    await expect(
      site.change(async (draft) => draft.place('live', new Map([[secret, await draft.node(secret)]]))),
    ).rejects.toMatchObject({ code: 'embargoed' });
    expect(await isLive(secret)).toBe(false);
  });

  it.each(['as_nope', 'as_01m8qt6r9zev2t1t9z8khhwr79'])(
    'a text cannot show an asset that is not there: %s',
    async (id) => {
      const error = await site.refusal('create_entry', { type: 'article', fields: { title: 'x' }, body: showing(id) });
      expect(error).toMatchObject({ code: 'validation_failed', message: expect.stringContaining(id) });
    },
  );

  it('an asset that nothing shows goes live where it is named', async () => {
    const paper = await image();
    await publish({ nodes: [paper] });
    expect(await isLive(paper)).toBe(true);
  });
});

describe('with what shows them', () => {
  it('assets go live in a release, and the release says so', async () => {
    const shown = await image();
    const entry = await article(shown);
    const { id } = await site.data('create_release', { title: 'Spring', items: [{ node: entry, op: 'publish' }] });
    const { changes } = await site.data('get_release', { release: id });
    expect(JSON.stringify(changes)).toContain(shown);
    await publish({ release: id });
    expect(await isLive(shown)).toBe(true);
  });

  it('assets go off when the last live node that shows them does, in the same snapshot', async () => {
    const [one, both] = [await image(), await image()];
    const [first, second] = [await article(one, both), await article(both)];
    await publish({ nodes: [first, second] });
    const { seq } = await site.check();
    expect((await unpublish(first)).data).toMatchObject({ count: 2 });
    expect((await site.check()).seq).toBe(seq + 1);
    expect(await Promise.all([one, both].map(isLive))).toEqual([false, true]);
    await site.call('delete_entry', { entry: second, rev: await rev(second), unpublish: true });
    expect(await isLive(both)).toBe(false);
  });

  it('an image that an article no longer shows goes off as the article is published, also if only its draft went', async () => {
    const [old, now] = [await image(), await image()];
    const entry = await article(old);
    await publish({ nodes: [entry] });
    await change(entry, showing(now));
    expect(await isLive(old)).toBe(true);
    const { nodes } = await plan({ nodes: [entry] });
    expect(nodes.map(({ id, change }: { id: string; change: string }) => [id, change])).toEqual(
      expect.arrayContaining([
        [old, 'removed'],
        [now, 'added'],
      ]),
    );
    await publish({ nodes: [entry] });
    expect(await Promise.all([old, now].map(isLive))).toEqual([false, true]);
    expect(JSON.stringify(await plan({ all: true }))).not.toContain(old);
    await site.call('delete_asset', { asset: old, rev: 1 });
  });

  it('a roll back brings the same images back, and the tree proves it', async () => {
    const [old, now] = [await image(), await image()];
    const entry = await article(old);
    await publish({ nodes: [entry] });
    const { liveSnapshot } = await site.view().head();
    await change(entry, showing(now));
    await publish({ nodes: [entry] });
    const expectLive = (await site.view().head()).liveSnapshot;
    await site.call('rollback', { snapshot: liveSnapshot, track: 'live', expectLive, reason: 'Wrong image.' });
    expect(await Promise.all([old, now].map(isLive))).toEqual([true, false]);
    const { items } = await site.view().differences({ snapshot: expectLive, track: 'live' }, { track: 'live' });
    expect(items.map(({ id }) => id).toSorted()).toEqual([entry, old, now].toSorted());
  });
});

describe('taking an asset away', () => {
  it('is refused while live content shows it, and works once nothing does', async () => {
    const shown = await image();
    const entry = await article(shown);
    await publish({ nodes: [entry, shown] });
    const refusal = await site.refusal('unpublish', { items: [{ node: shown, rev: 1 }] });
    expect(refusal).toMatchObject({ code: 'in_use', details: { node: shown, by: [entry] } });
    await unpublish(entry, shown);
    expect(await isLive(shown)).toBe(false);
    const loose = await image();
    await publish({ nodes: [loose] });
    expect((await unpublish(loose)).data).toMatchObject({ count: 1 });
  });

  it('undoing an upload is refused while something shows it; undoing what is said of it is not', async () => {
    const asset = await image();
    const uploaded = (await site.view().head()).snapshot;
    await site.call('update_asset', { asset, rev: 1, set: { alt: 'Another' } });
    await site.call('undo_change', { snapshot: (await site.view().head()).snapshot });
    expect(await site.data('get_asset', { asset })).toMatchObject({ alt: { en: 'A shade' } });
    const entry = await article(asset);
    expect(await site.refusal('undo_change', { snapshot: uploaded })).toMatchObject({ code: 'in_use' });
    const [other, by] = [await image(), (await site.view().head()).snapshot];
    await change(entry, showing(asset, other));
    expect(await site.refusal('undo_change', { snapshot: by })).toMatchObject({ code: 'in_use' });
    await change(entry, showing(asset));
    await site.call('undo_change', { snapshot: by });
    expect(await site.refusal('get_asset', { asset: other })).toMatchObject({ code: 'not_found' });
  });
});

describe('how much a publish is', () => {
  it('is its articles, however many new images they bring or leave behind', async () => {
    const images = [await image(), await image(), await image()];
    const entry = await article(...images);
    const what = { nodes: [entry] };
    const small = { effect: 'auto-publish', articlesOnly: true, nodes: 1, reasons: [], problems: [] };
    expect(await assessed(what)).toMatchObject(small);
    expect(await plan(what)).toMatchObject({ articlesOnly: true, count: 4 });
    await publish(what);
    await change(entry, showing(await image()));
    expect(await assessed(what)).toMatchObject(small);
  });

  it('counts an asset that readers know already, or that comes by itself', async () => {
    const [known, loose] = [await image(), await image()];
    const entry = await article(known);
    await publish({ nodes: [entry] });
    await site.call('update_asset', { asset: known, rev: 1, set: { alt: 'Said anew' } });
    await change(entry, `${showing(known)}\n\nMore.`);
    expect(await assessed({ nodes: [entry, known] })).toMatchObject({ articlesOnly: false, nodes: 2 });
    expect(await assessed({ nodes: [loose] })).toMatchObject({ articlesOnly: false, nodes: 1 });
    expect(await site.assess('unpublish', { items: [{ node: entry, rev: 2 }] })).toMatchObject({ effect: 'publish' });
  });
});
