import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBlocks } from './parse-blocks.ts';
import { type BlockOp, patchBlocks } from './patch-blocks.ts';
import { anyBody, bodies } from './testing/bodies.ts';

const body = '# Title\nFirst.\n\nSecond.\n\n\n---\n\nThird.\n';
const ids = ['b_title', 'b_first', 'b_second', 'b_rule', 'b_third'];

function patched(...ops: BlockOp[]): string {
  return patchBlocks(body, ids, ops).markdown;
}

function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as { body: { code: string; details: Record<string, unknown> } }).body;
  }
  throw new Error('it was not refused');
}

describe('inserting a block', () => {
  test('puts it after another, set apart by a blank line', () => {
    expect(patched({ op: 'insert', after: 'b_second', content: 'New.' })).toBe(
      '# Title\nFirst.\n\nSecond.\n\nNew.\n\n\n---\n\nThird.\n',
    );
  });

  test('keeps neighbours apart that had no blank line between them', () => {
    expect(patched({ op: 'insert', after: 'b_title', content: '\n\nNew.\n\n' })).toContain('# Title\n\nNew.\n\nFirst.');
  });

  test('works at both ends', () => {
    const both = patched({ op: 'insert', after: 'start', content: 'A' }, { op: 'insert', after: 'end', content: 'Z' });
    expect(both).toMatch(/^A\n\n# Title\nFirst\.[\s\S]*Third\.\n\nZ\n$/);
  });

  test('works in an empty body', () => {
    expect(patchBlocks('', [], [{ op: 'insert', after: 'end', content: 'A\n' }]).markdown).toBe('A');
  });

  test('gives each of several blocks its own id and leaves the others theirs', () => {
    const now = patchBlocks(body, ids, [{ op: 'insert', after: 'b_rule', content: 'A\n\nB' }]);
    expect(now.ids).toHaveLength(7);
    expect(now.ids.filter((id) => ids.includes(id))).toEqual(ids);
    expect(new Set(now.ids).size).toBe(7);
  });

  test('takes the line breaks of the body', () => {
    const now = patchBlocks('a\r\n\r\nb\r\n', ['b_a', 'b_b'], [{ op: 'insert', after: 'b_a', content: '- x\n- y' }]);
    expect(now.markdown).toBe('a\r\n\r\n- x\r\n- y\r\n\r\nb\r\n');
  });
});

describe('replacing, moving and removing', () => {
  test('a replaced block keeps its id', () => {
    const now = patchBlocks(body, ids, [{ op: 'replace', block: 'b_second', content: 'Something else altogether' }]);
    expect(now.markdown).toBe(body.replace('Second.', 'Something else altogether'));
    expect(now.ids).toEqual(ids);
  });

  test('a block replaced by several leaves its id to the most similar one', () => {
    const now = patchBlocks(body, ids, [{ op: 'replace', block: 'b_second', content: '## Heading\n\nSecond!' }]);
    expect(now.ids[3]).toBe('b_second');
  });

  test('a moved block keeps its bytes and its id', () => {
    const now = patchBlocks(body, ids, [{ op: 'move', block: 'b_third', after: 'b_title' }]);
    expect(now.markdown).toBe('# Title\n\nThird.\n\nFirst.\n\nSecond.\n\n\n---\n');
    expect(now.ids).toEqual(['b_title', 'b_third', 'b_first', 'b_second', 'b_rule']);
  });

  test('moving a block to where it is changes nothing', () => {
    expect(patched({ op: 'move', block: 'b_rule', after: 'b_rule' })).toBe(body);
  });

  test('removing a block keeps its neighbours apart', () => {
    const heading = 'First.\n# Title\nSecond.';
    expect(patchBlocks(heading, ['b_1', 'b_2', 'b_3'], [{ op: 'remove', block: 'b_2' }])).toEqual({
      markdown: 'First.\n\nSecond.',
      ids: ['b_1', 'b_3'],
    });
  });

  test('removing everything leaves nothing', () => {
    const ops = ids.map((block) => ({ op: 'remove', block }) as const);
    expect(patchBlocks(body, ids, ops)).toEqual({ markdown: '', ids: [] });
  });

  test('two lists that come to stand together are one block under the first id', () => {
    const now = patchBlocks('- a\n\ntext\n\n- b\n', ['b_a', 'b_text', 'b_b'], [{ op: 'remove', block: 'b_text' }]);
    expect(now.ids).toEqual(['b_a']);
  });

  test('an op sees what the one before did', () => {
    const now = patchBlocks(body, ids, [
      { op: 'remove', block: 'b_rule' },
      { op: 'move', block: 'b_title', after: 'end' },
    ]);
    expect(now.ids).toEqual(['b_first', 'b_second', 'b_third', 'b_title']);
    expect(
      refusal(() => patched({ op: 'remove', block: 'b_rule' }, { op: 'move', block: 'b_rule', after: 'end' })),
    ).toMatchObject({
      code: 'not_found',
      details: { what: 'block', id: 'b_rule' },
    });
  });
});

describe('a patch is refused as a whole', () => {
  test.each<[string, BlockOp, string]>([
    ['for an unknown block', { op: 'remove', block: 'b_other' }, 'not_found'],
    ['for an unknown place', { op: 'insert', after: 'b_other', content: 'x' }, 'not_found'],
    ['for a move to an unknown place', { op: 'move', block: 'b_first', after: 'b_other' }, 'not_found'],
    ['without a block', { op: 'replace', content: 'x' }, 'validation_failed'],
    ['without a place', { op: 'insert', content: 'x' }, 'validation_failed'],
    ['without content', { op: 'insert', after: 'end' }, 'validation_failed'],
    ['for blank content', { op: 'replace', block: 'b_first', content: ' \n ' }, 'validation_failed'],
    [
      'for a fence that swallows what follows',
      { op: 'insert', after: 'b_title', content: '```\ncode' },
      'validation_failed',
    ],
    [
      'for a comment that swallows what follows',
      { op: 'insert', after: 'b_title', content: '<!-- a' },
      'validation_failed',
    ],
    ['for deep nesting', { op: 'insert', after: 'end', content: '>'.repeat(50_000) }, 'limit_exceeded'],
    ['for too much content', { op: 'insert', after: 'end', content: 'a\n'.repeat(400_000) }, 'limit_exceeded'],
  ])('%s', (_, op, code) => {
    expect(refusal(() => patched({ op: 'remove', block: 'b_second' }, op)).code).toBe(code);
  });
});

describe('what no op names', () => {
  test.each(Object.entries(bodies))('stays byte for byte when there is nothing to do: %s', (_, markdown) => {
    const stored = parseBlocks(markdown).map((block) => block.id);
    expect(patchBlocks(markdown, stored, [])).toEqual({ markdown: stored.length > 0 ? markdown : '', ids: stored });
  });

  test('stays byte for byte when others are replaced by what they were', () => {
    fc.assert(
      fc.property(anyBody, fc.nat(), (markdown, pick) => {
        const blocks = parseBlocks(markdown);
        fc.pre(blocks.length > 0 && !/\r(?!\n)/.test(markdown));
        const block = blocks[pick % blocks.length]!;
        const stored = blocks.map(({ id }) => id);
        const content = block.text;
        fc.pre(parseBlocks(content).length === 1);
        expect(patchBlocks(markdown, stored, [{ op: 'replace', block: block.id, content }])).toEqual({
          markdown,
          ids: stored,
        });
      }),
    );
  });

  test('stays in the body when a block is removed or moved', () => {
    fc.assert(
      fc.property(anyBody, fc.nat(), fc.constantFrom('start', 'end'), fc.boolean(), (markdown, pick, after, remove) => {
        const blocks = parseBlocks(markdown);
        fc.pre(blocks.length > 0);
        const { id: block } = blocks[pick % blocks.length]!;
        const op: BlockOp = remove ? { op: 'remove', block } : { op: 'move', block, after };
        let now: string;
        try {
          now = patchBlocks(
            markdown,
            blocks.map(({ id }) => id),
            [op],
          ).markdown;
        } catch (error) {
          expect(error).toMatchObject({ code: 'validation_failed' });
          return;
        }
        for (const { id, text } of blocks) if (id !== block || !remove) expect(now).toContain(text);
      }),
    );
  });
});
