import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const newArticle = (title: string, more: Record<string, unknown> = {}) =>
  site.data('create_entry', { type: 'article', fields: { title }, ...more });

describe('edit_body', () => {
  it('replaces exact text and keeps the ids of blocks', async () => {
    const { id } = await newArticle('Edits', { body: 'First one.\n\nSecond one.\n\nThird.' });
    const before = (await site.data('get_entry', { entry: id, bodyFormat: 'blocks' })).blocks;
    const result = await site.call('edit_body', {
      entry: id,
      rev: 1,
      edits: [
        { find: 'one', replace: 'two', count: 2 },
        { find: 'Third.', replace: 'Third.\n\nFourth.' },
      ],
    });
    expect(result).toMatchObject({ rev: 2, changed: true });
    const { blocks } = await site.data('get_entry', { entry: id, bodyFormat: 'blocks' });
    expect(blocks.map((block: { text: string }) => block.text)).toEqual([
      'First two.',
      'Second two.',
      'Third.',
      'Fourth.',
    ]);
    expect(blocks.slice(0, 3).map((block: { id: string }) => block.id)).toEqual(
      before.map((block: { id: string }) => block.id),
    );
    const { changed, removed } = (result.data as { blocks: { changed: { text: string }[]; removed: string[] } }).blocks;
    expect(changed.map((block) => block.text)).toEqual(['First two.', 'Second two.', 'Fourth.']);
    expect(removed).toEqual([]);
  });

  it('that does not match says how often it does, and changes nothing', async () => {
    const { id } = await newArticle('No match', { body: 'a b a' });
    const edits = [
      { find: 'b', replace: 'c' },
      { find: 'a', replace: 'd' },
    ];
    expect(await site.refusal('edit_body', { entry: id, rev: 1, edits })).toMatchObject({
      code: 'match_failed',
      details: { found: 2, expected: 1, edit: 1 },
    });
    expect(await site.data('get_entry', { entry: id })).toMatchObject({ body: 'a b a', rev: 1 });
  });

  it.each([
    ['no rev', { rev: undefined }, 'validation_failed', 'rev'],
    ['a stale rev', { rev: 3 }, 'rev_conflict', undefined],
    ['no edits', { edits: [] }, 'validation_failed', 'edits'],
    ['an empty find', { edits: [{ find: '', replace: 'x' }] }, 'validation_failed', 'edits[0].find'],
    ['an unknown member', { edits: [{ find: 'a', replace: 'x', all: true }] }, 'validation_failed', 'edits[0].all'],
    ['an unknown entry', { entry: 'en_none' }, 'not_found', undefined],
  ])('refuses %s', async (name, args, code, path) => {
    const { id } = await newArticle(name, { slug: `e-${Math.random().toString(36).slice(2)}`, body: 'a' });
    const all = { entry: id, rev: 1, edits: [{ find: 'a', replace: 'b' }], ...args };
    const error = await site.refusal('edit_body', JSON.parse(JSON.stringify(all)));
    expect(error).toMatchObject({ code, ...(path && { details: { path } }) });
  });
});

describe('patch_draft', () => {
  const body = 'One.\n\nTwo.\n\nThree.';
  const blocksOf = async (entry: string): Promise<{ id: string; text: string }[]> =>
    (await site.data('get_entry', { entry, bodyFormat: 'blocks' })).blocks;

  it('inserts, replaces, moves and removes by block id, as one change', async () => {
    const { id } = await newArticle('Patch', { body });
    const [one, two, three] = await blocksOf(id);
    const ops = [
      { op: 'remove', block: two!.id },
      { op: 'move', block: three!.id, after: 'start' },
      { op: 'replace', block: one!.id, content: 'One, again.' },
      { op: 'insert', after: one!.id, content: 'New.' },
    ];
    const result = await site.call('patch_draft', { entry: id, rev: 1, ops });
    expect(result).toMatchObject({ rev: 2, changed: true, data: { blocks: { removed: [two!.id] } } });
    const after = await blocksOf(id);
    expect(after.map((block) => block.text)).toEqual(['Three.', 'One, again.', 'New.']);
    expect(after.slice(0, 2).map((block) => block.id)).toEqual([three!.id, one!.id]);
  });

  it('as a dry run says the same and stores nothing', async () => {
    const { id } = await newArticle('Dry', { body });
    const [one] = await blocksOf(id);
    const before = await site.check();
    const args = { entry: id, rev: 1, ops: [{ op: 'replace', block: one!.id, content: 'Other.' }] };
    const dry = await site.call('patch_draft', { ...args, dryRun: true });
    expect(dry).toMatchObject({ changed: false, data: { blocks: { changed: [{ id: one!.id, text: 'Other.' }] } } });
    expect((await site.check()).seq).toBe(before.seq);
    expect((await site.call('patch_draft', args)).data).toEqual(dry.data);
  });

  it.each([
    ['an unknown block', { ops: [{ op: 'remove', block: 'b_none' }] }, 'not_found', undefined],
    [
      'one bad op among good ones',
      {
        ops: [
          { op: 'insert', after: 'end', content: 'x' },
          { op: 'remove', block: 'b_none' },
        ],
      },
      'not_found',
      undefined,
    ],
    ['an unknown op', { ops: [{ op: 'swap' }] }, 'validation_failed', 'ops[0].op'],
    ['no place', { ops: [{ op: 'insert', content: 'x' }] }, 'validation_failed', 'ops[0].after'],
    ['no content', { ops: [{ op: 'insert', after: 'end' }] }, 'validation_failed', 'ops[0].content'],
    ['no rev', { rev: undefined }, 'validation_failed', 'rev'],
    ['a stale rev', { rev: 8 }, 'rev_conflict', undefined],
  ])('refuses %s', async (name, args, code, path) => {
    const { id } = await newArticle(name, { slug: `p-${Math.random().toString(36).slice(2)}`, body });
    const all = { entry: id, rev: 1, ops: [{ op: 'insert', after: 'end', content: 'x' }], ...args };
    const error = await site.refusal('patch_draft', JSON.parse(JSON.stringify(all)));
    expect(error).toMatchObject({ code, ...(path && { details: { path } }) });
    expect((await site.data('get_entry', { entry: id })).body).toBe(body);
  });
});

describe('get_entry', () => {
  it.each([
    [
      'with blanks of all kinds',
      '\n\n  First.  \n\n\n\nSecond,\r\n\r\n- a\n- b\n\n\t\n```\n\ncode\n\n```\n\n\nLast.\n\n\n',
    ],
    ['with a block that takes several answers', `Short.\n\n${'A word and ümlauts 🌊. '.repeat(80)}\n\n\nEnd.\n`],
    ['of many blocks', Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of many.`).join('\n\n')],
  ])('gives a body %s in parts that are the body, one after the other', async (name, body) => {
    const { id } = await newArticle(name, { slug: `parts-${Math.random().toString(36).slice(2)}`, body });
    const parts: string[] = [];
    let range: object | undefined;
    do {
      const data = await site.data('get_entry', { entry: id, maxTokens: 100, ...(range && { range }) });
      parts.push(data.body);
      range = data.more;
    } while (range !== undefined);
    expect(parts.length).toBeGreaterThan(name.startsWith('with blanks') ? 0 : 1);
    expect(parts.join('')).toBe(body);
  });
});
