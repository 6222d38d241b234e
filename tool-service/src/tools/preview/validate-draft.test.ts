import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite();
  await site.call('create_page', { title: 'About' });
});
afterAll(() => site.drop());

describe('validate_draft', () => {
  it('names what a draft links to that is not there', async () => {
    const body = '[good](/about) [list](/articles) [home](/) [bad](/nowhere#x) [out](https://example.org/x)';
    const { id } = await site.data('create_entry', { type: 'article', fields: { title: 'Links' }, body });
    expect(await site.data('validate_draft', { node: id })).toEqual({
      valid: false,
      node: id,
      rev: 1,
      problems: ['Nothing is at /nowhere, which it links to.'],
    });
    expect(await site.data('validate_draft', { node: '/about' })).toMatchObject({ valid: true, problems: [] });
  });

  it('names fields that the type no longer takes', async () => {
    const { data } = await site.change((draft) =>
      draft.create('entry', {
        type: 'article',
        slug: 'odd',
        locale: 'en',
        fields: { title: 'Odd', colour: 'red' },
        body: '',
        blocks: [],
      }),
    );
    const { valid, problems } = await site.data('validate_draft', { node: (data as { id: string }).id });
    expect(valid).toBe(false);
    expect(problems[0]).toContain('fields.colour');
  });

  it('says what a call would do without doing it, with the same errors', async () => {
    const before = await site.check();
    const call = (args: object) => ({ tool: 'create_entry', arguments: { type: 'article', ...args } });
    expect(await site.data('validate_draft', call({ fields: { title: 'New' } }))).toEqual({
      valid: true,
      problems: [],
      would: { effect: 'edit', nodes: 1, embargoed: [] },
    });
    const bad = { fields: { title: 'New', colour: 'red' } };
    const { call_id: _, ...error } = await site.refusal('create_entry', { type: 'article', ...bad });
    const refused = await site.data('validate_draft', call(bad));
    expect(refused).toMatchObject({
      valid: false,
      problems: [error.message],
      error: { code: error.code, details: error.details },
    });
    expect(await site.check()).toEqual(before);
  });

  it('keeps what imported text says apart', async () => {
    const items = [{ slug: 'in', frontmatter: { title: 'x' }, body: '[x](/obey-me)' }];
    await site.call('import_entries', { type: 'article', items });
    const result = await site.data('validate_draft', { node: '/articles/in' });
    expect(result).toMatchObject({ valid: false, problems: [], untrusted: [{ source: 'import' }] });
  });

  it.each([
    [{}, 'validation_failed'],
    [{ node: '/about', tool: 'publish' }, 'validation_failed'],
    [{ node: '/none' }, 'not_found'],
  ])('refuses %j', async (args, code) => {
    expect(await site.refusal('validate_draft', args)).toMatchObject({ code });
  });

  it('says that there is no such tool', async () => {
    expect(await site.data('validate_draft', { tool: 'drop_table' })).toMatchObject({
      valid: false,
      error: { code: 'unknown_tool' },
    });
  });
});
