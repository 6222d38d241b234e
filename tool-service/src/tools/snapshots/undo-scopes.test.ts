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

const held = { scopes: ['content:write' as const] };

describe('going back to an earlier state', () => {
  const changes: [string, string, string, () => Promise<object>][] = [
    ['a menu', 'menus:write', 'set_menu', async () => ({ menu: 'footer', rev: 0, items: [] })],
    ['the design', 'design:write', 'set_design', async () => ({ rev: 0, set: { 'type.size': 1.1 } })],
    ['the header', 'design:write', 'set_chrome', async () => ({ rev: 0, set: { 'banner.text': 'Hello' } })],
    [
      'the settings of the site',
      'site:write',
      'update_site',
      async () => ({ rev: (await site.data('get_site')).rev, set: { tagline: 'Other' } }),
    ],
    ['a release', 'releases:write', 'create_release', async () => ({ title: 'Spring' })],
  ];

  it.each(changes)('of %s takes %s, as changing it does', async (_, scope, tool, args) => {
    const { snapshot } = await site.call(tool, (await args()) as never);
    const { seq } = await site.check();
    const refusal = await site.refused('undo_change', { site: site.id, snapshot }, held);
    expect(refusal).toMatchObject({ code: 'scope_missing', details: { scope }, applied: 'no' });
    expect((await site.check()).seq).toBe(seq);
  });

  it('by restore_node is no other way', async () => {
    const { snapshot } = await site.view().head();
    const { rev } = await site.data('get_site');
    const after = (await site.data('update_site', { rev, set: { title: 'New' } })) && rev + 1;
    const args = { site: site.id, node: site.id, from: 'snapshot', snapshot, rev: after };
    expect(await site.refused('restore_node', args, held)).toMatchObject({ details: { scope: 'site:write' } });
    expect(await site.call('restore_node', { ...args })).toMatchObject({ changed: true });
  });

  it('of an entry takes what writing it takes', async () => {
    const { snapshot } = await site.call('create_entry', { type: 'article', fields: { title: 'Mine' } });
    expect(await site.call('undo_change', { snapshot: snapshot! })).toMatchObject({ changed: true });
  });
});
