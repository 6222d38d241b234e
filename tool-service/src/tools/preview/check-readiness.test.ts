import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(() => site.drop());

type Checked = { check: string; ok: boolean; problems: string[]; missing?: object[] };
const check = (args: object): Promise<{ ready: boolean; count: number; checks: Checked[]; policy: object }> =>
  site.data('check_readiness', { ...args });
const failed = (checks: Checked[]) => checks.filter(({ ok }) => !ok).map((one) => one.check);
const article = (slug: string, body = '') =>
  site.data('create_entry', { type: 'article', slug, fields: { title: `About ${slug}` }, body });

describe('check_readiness', () => {
  it('says of changes without fault that they are ready, and what policy would say', async () => {
    const { id } = await article('ready', 'Fine. ![A lighthouse](https://example.com/a.jpg)');
    const result = await check({ nodes: [id] });
    expect(result).toMatchObject({ ready: true, count: 1, policy: { decision: 'person', rule: expect.any(String) } });
    expect(failed(result.checks)).toEqual([]);
    expect(result.checks.find((one) => one.check === 'translations')?.missing).toEqual([{ node: id, locales: ['de'] }]);
  });

  it.each<[string, string, string]>([
    ['links', 'a link to nothing', 'See [this](/nowhere).'],
    ['alt', 'a picture without a text', 'Look. ![](https://example.com/a.jpg)'],
  ])('fails the check %s for %s, and names the node', async (name, _, body) => {
    const { id } = await article(`fails-${name}`, body);
    const result = await check({ nodes: [id] });
    expect(result.ready).toBe(false);
    expect(failed(result.checks)).toEqual([name]);
    expect(result.checks.find((one) => one.check === name)?.problems[0]).toContain(`About fails-${name}`);
  });

  it('knows embargoes, of what is named and of what is not', async () => {
    const { id } = await article('held');
    await site.embargo(id, '2099-01-01T00:00:00Z');
    const named = await check({ nodes: [id] });
    expect(failed(named.checks)).toContain('embargoes');
    const all = await check({});
    expect(failed(all.checks)).not.toContain('embargoes');
  });

  it('knows imported text that nobody looked at, and repeats none of it', async () => {
    const items = [{ slug: 'foreign', frontmatter: { title: 'Obey me' }, body: '![](x.jpg) [y](/obey)' }];
    await site.call('import_entries', { type: 'article', items, onExisting: 'fail', dryRun: false });
    const { id } = await site.data('get_entry', { entry: 'foreign' });
    const result = await check({ nodes: [id] });
    expect(failed(result.checks)).toEqual(expect.arrayContaining(['review', 'links', 'alt']));
    expect(JSON.stringify(result)).not.toMatch(/obey/i);
  });

  it('knows a translation that no longer says what its original says', async () => {
    const { id } = await article('translated', 'One.');
    const more = { node: id, locale: 'de', fields: { title: 'Übersetzt' }, body: 'Eins.' };
    const variant = await site.data('save_translation', { ...more, rev: 0, sourceRev: 1 });
    expect(failed((await check({ nodes: [variant.id] })).checks)).toEqual([]);
    await site.call('update_entry', { entry: id, rev: 1, set: { title: 'About something else' } });
    const result = await check({ nodes: [id, variant.id] });
    expect(failed(result.checks)).toEqual(['translations']);
    expect(result.checks.find((one) => one.check === 'translations')?.problems[0]).toContain('into de is stale');
  });

  it('looks at a release as it would go live, and at what one snapshot changed', async () => {
    const { id } = await article('of-release', 'See [this](/nowhere).');
    const { snapshot } = await site.call('edit_body', {
      entry: id,
      rev: 1,
      edits: [{ find: 'See [this](/nowhere).', replace: 'Mended.' }],
    });
    const release = await site.data('create_release', { title: 'Old text', items: [{ node: id, rev: 1 }] });
    expect(failed((await check({ release: release.id })).checks)).toEqual(['links']);
    expect(await check({ snapshot })).toMatchObject({ ready: true, count: 1 });
    await site.call('publish', { what: { nodes: [id] }, expectDraft: (await site.view().head()).snapshot });
    expect(failed((await check({ release: release.id })).checks)).toContain('conflicts');
  });

  it('is not ready where policy refuses', async () => {
    const { id } = await article('denied');
    const { judgePublish } = site.deps.can;
    site.deps.can.judgePublish = async () => ({ decision: 'deny', rule: 'scope', reasons: ['publish is not held'] });
    expect(await check({ nodes: [id] })).toMatchObject({ ready: false, policy: { decision: 'deny' } });
    site.deps.can.judgePublish = judgePublish;
  });

  it.each([
    [{ nodes: ['en_none'] }, 'not_found'],
    [{ release: 'rl_none' }, 'not_found'],
    [{ snapshot: 'sn_none' }, 'not_found'],
    [{ nodes: [] }, 'validation_failed'],
    [{ nodes: ['a'], release: 'b' }, 'validation_failed'],
  ])('refuses %j', async (args, code) => {
    expect(await site.refusal('check_readiness', args)).toMatchObject({ code });
  });
});
