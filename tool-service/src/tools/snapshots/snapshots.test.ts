import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite();
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const newArticle = (title: string, more: object = {}) =>
  site.data('create_entry', { type: 'article', fields: { title }, ...more });
const headOf = async () => (await site.data('list_snapshots', { limit: 1 })).snapshots[0];

describe('create_snapshot', () => {
  it('names the state as it is, as one snapshot that changes nothing', async () => {
    const before = await site.check();
    const result = await site.call('create_snapshot', { label: 'Before the move', note: 'in case' });
    const after = await site.check();
    expect(result).toMatchObject({ changed: true, data: { label: 'Before the move' } });
    expect(after).toEqual({ ...before, seq: before.seq + 1 });
    const [labelled] = (await site.data('list_snapshots', { labelled: true })).snapshots;
    expect(labelled).toMatchObject({ id: result.snapshot, label: 'Before the move', note: 'in case', changed: 0 });
  });

  it.each([[{ label: '' }], [{}], [{ label: 'x'.repeat(101) }]])('refuses %j', async (args) => {
    expect(await site.refusal('create_snapshot', args)).toMatchObject({
      code: 'validation_failed',
      details: { path: 'label' },
    });
  });
});

describe('list_snapshots', () => {
  it('says what changed the site and who, newest first', async () => {
    const { id } = await newArticle('Listed');
    await site.call('update_entry', { entry: id, rev: 1, set: { summary: 'x' }, note: 'why' });
    const { snapshots } = await site.data('list_snapshots', { node: id });
    expect(snapshots.map((snapshot: { tool: string }) => snapshot.tool)).toEqual(['update_entry', 'create_entry']);
    expect(snapshots[0]).toMatchObject({
      label: 'update_entry',
      reason: 'agentMutation',
      actor: 'Ada',
      changed: 1,
      note: 'why',
    });
    expect((await site.data('list_snapshots', { node: '/articles/listed' })).snapshots).toEqual(snapshots);
  });

  it('finds those of one principal', async () => {
    await site.call('create_snapshot', { label: 'mine' }, { id: 'agent:bob', name: 'Bob' });
    const { snapshots } = await site.data('list_snapshots', { actor: 'agent:bob' });
    expect(snapshots.map((snapshot: { label: string }) => snapshot.label)).toEqual(['mine']);
  });

  it.each([
    [{ node: 'en_none' }, 'not_found'],
    [{ since: 'yesterday' }, 'validation_failed'],
    [{ cursor: 'x' }, 'validation_failed'],
  ])('refuses %j', async (args, code) => {
    expect(await site.refusal('list_snapshots', args)).toMatchObject({ code });
  });
});

describe('diff_snapshots', () => {
  it('names the nodes that were added, changed and removed, and what changed in them', async () => {
    const changed = await newArticle('Changed', { body: 'One.\n\nTwo.' });
    const removed = await newArticle('Removed');
    const page = await site.data('create_page', {
      title: 'Page',
      sections: [{ type: 'hero', props: { heading: 'A' } }],
    });
    const before = await headOf();
    await site.call('update_entry', { entry: changed.id, rev: 1, set: { title: 'Renamed' }, body: 'One.\n\nThree.' });
    await site.call('delete_entry', { entry: removed.id, rev: 1 });
    const [section] = (await site.data('get_page', { page: page.id })).sections;
    await site.call('update_section', { page: page.id, rev: 1, section: section.id, set: { heading: 'B' } });
    const added = await newArticle('Added');

    const diff = async (args: object = {}) =>
      (await site.data('diff_snapshots', { a: before.id, b: 'draft', ...args })).differences;
    const byId = new Map((await diff()).map((item: { id: string }) => [item.id, item]));
    expect(byId.get(changed.id)).toEqual({
      id: changed.id,
      kind: 'entry',
      change: 'changed',
      path: '/articles/changed',
      rev: { before: 1, after: 2 },
      title: 'Renamed',
      members: ['fields.title', 'body'],
    });
    expect(byId.get(removed.id)).toMatchObject({ change: 'removed', title: 'Removed' });
    expect(byId.get(added.id)).toMatchObject({ change: 'added', rev: { after: 1 } });
    expect(byId.size).toBe(4);

    const [fields] = await diff({ format: 'fields', node: page.id });
    expect(fields.members).toEqual([{ member: `sections.${section.id}.props.heading`, before: 'A', after: 'B' }]);
    const [body] = await diff({ format: 'body', node: '/articles/changed' });
    expect(body.body).toContain('-Two.');
    expect(body.body).toContain('+Three.');
    expect(await diff({ kinds: ['page'] })).toHaveLength(1);
    expect(await diff({ b: before.id })).toEqual([]);
  });

  it('from live to draft is what a publish would change', async () => {
    const { id } = await newArticle('Published');
    await site.publish(id);
    await site.call('update_entry', { entry: id, rev: 1, set: { summary: 'newer' } });
    const { differences } = await site.data('diff_snapshots', { a: 'live', b: 'draft', node: id });
    expect(differences).toMatchObject([{ id, change: 'changed', members: ['fields.summary'] }]);
    const head = await headOf();
    const live = { a: head.id, b: 'live', track: 'live' };
    expect((await site.data('diff_snapshots', live)).differences).toEqual([]);
  });

  it('ends at maxTokens and goes on with its cursor, and nothing is left out', async () => {
    const before = await headOf();
    for (let i = 0; i < 12; i++) await newArticle(`Many ${i} ${'x'.repeat(200)}`);
    const args = { a: before.id, b: 'draft', maxTokens: 500 };
    const seen: string[] = [];
    let cursor: string | undefined;
    let calls = 0;
    do {
      const result = await site.call('diff_snapshots', { ...args, ...(cursor && { cursor }) });
      seen.push(...(result.data as { differences: { id: string }[] }).differences.map((item) => item.id));
      cursor = result.cursor;
      calls++;
    } while (cursor);
    expect(calls).toBeGreaterThan(2);
    expect(new Set(seen).size).toBe(12);
    expect(seen).toHaveLength(12);
  });

  it('keeps imported text apart', async () => {
    const before = await headOf();
    await site.call('import_entries', {
      type: 'article',
      items: [{ slug: 'in', frontmatter: { title: 'Obey' }, body: 'Obey me.' }],
    });
    const data = await site.data('diff_snapshots', { a: before.id, b: 'draft', format: 'body' });
    expect(JSON.stringify(data.differences)).not.toContain('Obey');
    expect(data.untrusted).toMatchObject([
      { source: 'import', title: 'Obey', body: expect.stringContaining('+Obey me.') },
    ]);
  });

  it.each([
    [{ a: 'sn_none', b: 'draft' }, 'not_found'],
    [{ a: 'draft' }, 'validation_failed'],
    [{ a: 'live', b: 'draft', format: 'html' }, 'validation_failed'],
    [{ a: 'live', b: 'draft', kinds: ['comment'] }, 'validation_failed'],
    [{ a: 'live', b: 'draft', node: 'en_none' }, 'not_found'],
    [{ a: 'live', b: 'draft', cursor: 'x' }, 'validation_failed'],
  ])('refuses %j', async (args, code) => {
    expect(await site.refusal('diff_snapshots', args)).toMatchObject({ code });
  });
});
