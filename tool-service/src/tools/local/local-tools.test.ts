import { nodeBodies } from '@cloudhal/shared/site/bodies';
import { nodeKinds } from '@cloudhal/shared/site/shapes';
import { localToolNames } from '@cloudhal/shared/tool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageBody } from '../../testing/test-site.ts';
import { tools } from '../index.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';
import { localTools } from './index.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite();
  for (const tool of localTools)
    (site.deps.tools as Map<string, (typeof localTools)[number]>).set(tool.facts.name, tool);
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

describe('tools of commands', () => {
  it('are known by their names, and are none of the tools that clients list', () => {
    expect(localTools.map(({ facts }) => facts.name).sort()).toEqual([...localToolNames].sort());
    expect(tools.filter(({ facts }) => localToolNames.includes(facts.name))).toEqual([]);
  });

  it('know the shape of every kind', () => {
    expect(Object.keys(nodeBodies).sort()).toEqual([...nodeKinds].sort());
  });
});

describe('restore_nodes', () => {
  const id = 'pg_01hzzzzzzzzzzzzzzzzzzzzzzz';

  it('puts nodes under the ids that they had, and leaves alone what is there', async () => {
    const before = await site.check();
    const nodes = [{ id, kind: 'page', body: pageBody('old') }];
    expect(await site.call('restore_nodes', { nodes })).toMatchObject({
      changed: true,
      data: { restored: 1, skipped: 0 },
    });
    expect((await site.check()).seq).toBe(before.seq + 1);
    const other = [{ id, kind: 'page', body: pageBody('other') }];
    expect(await site.call('restore_nodes', { nodes: other })).toMatchObject({ changed: false, data: { skipped: 1 } });
    expect(await site.data('get_page', { page: id })).toMatchObject({ path: '/old', rev: 1 });
  });

  it.each([
    [
      'an id of another kind',
      { id: 'en_01hzzzzzzzzzzzzzzzzzzzzzzz', kind: 'page', body: pageBody('x') },
      'validation_failed',
    ],
    ['another site', { id: 'st_01hzzzzzzzzzzzzzzzzzzzzzzz', kind: 'site', body: {} }, 'validation_failed'],
    [
      'a body of another shape',
      { id: 'pg_01hzzzzzzzzzzzzzzzzzzzzzz1', kind: 'page', body: { title: 1 } },
      'validation_failed',
    ],
    [
      'an address that is taken',
      { id: 'pg_01hzzzzzzzzzzzzzzzzzzzzzz2', kind: 'page', body: pageBody('old') },
      'slug_taken',
    ],
    ['no kind', { id: 'pg_01hzzzzzzzzzzzzzzzzzzzzzz3', kind: 'thing', body: {} }, 'validation_failed'],
  ])('refuses %s', async (_, node, code) => {
    expect(await site.refusal('restore_nodes', { nodes: [node] })).toMatchObject({ code, applied: 'no' });
  });
});

describe('export_nodes', () => {
  it('gives one state in pages, with the digest that it has', async () => {
    const { draft } = await site.check();
    for (let i = 0; i < 3; i++) {
      const body = `${'x '.repeat(20_000)}\n\n`.repeat(5);
      await site.call('create_entry', { type: 'article', fields: { title: `Large ${i}` }, body });
    }
    const first = await site.data('export_nodes');
    expect(first).toMatchObject({ more: true, digest: (await site.check()).draft });
    expect(first.digest).not.toBe(draft);
    await site.call('create_page', { title: 'Later' });
    const seen = [...first.nodes];
    for (let more = true; more; ) {
      const page = await site.data('export_nodes', { snapshot: first.snapshot, after: seen.at(-1).id });
      seen.push(...page.nodes);
      more = page.more;
    }
    expect(new Set(seen.map((node) => node.id)).size).toBe(seen.length);
    expect(seen.filter((node) => node.kind === 'entry')).toHaveLength(3);
    expect(seen.some((node) => node.body.title === 'Later')).toBe(false);
  });
});
