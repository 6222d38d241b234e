import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, parseBlocks } from './parse-blocks.ts';
import { anyBody, bodies } from './testing/bodies.ts';

function shape(markdown: string): string[] {
  return parseBlocks(markdown).map((block) => `${block.type}: ${block.text}`);
}

function expectLossless(markdown: string, blocks: Block[]) {
  let end = 0;
  for (const block of blocks) {
    expect(markdown.slice(block.start, block.end)).toBe(block.text);
    expect(markdown.slice(end, block.start)).toMatch(/^[ \t\r\n]*$/);
    end = block.end;
  }
  expect(markdown.slice(end)).toMatch(/^[ \t\r\n]*$/);
  expect(new Set(blocks.map((block) => block.id)).size).toBe(blocks.length);
}

describe('the blocks of a body', () => {
  test.each(Object.entries(bodies))('hold every byte that is not blank: %s', (_, markdown) => {
    expectLossless(markdown, parseBlocks(markdown));
  });

  test('hold every byte of any text', () => {
    fc.assert(
      fc.property(anyBody, (markdown) => expectLossless(markdown, parseBlocks(markdown))),
      { numRuns: 500 },
    );
  });

  test('are what a reader would call a block', () => {
    expect(shape(bodies['fence with blank lines']!)).toEqual([
      'code: ```js\na\n\n\nb\n```',
      'paragraph: text',
      'code: ~~~\n\n~~~',
    ]);
    expect(shape(bodies.table!)).toEqual([
      'paragraph: Before',
      'table: | a | b |\n|---|:-:|\n| 1 | 2 |',
      'paragraph: After',
    ]);
    expect(shape(bodies['setext headings']!)).toEqual([
      'heading: Title\n=====',
      'heading: Sub\n---',
      'paragraph: text',
    ]);
    expect(shape(bodies.quote!)).toEqual(['quote: > a\nlazy\n>\n> b', 'quote: > c']);
    expect(shape(bodies['html blocks']!)).toEqual([
      'html: <div class="x">',
      'paragraph: text',
      'html: </div>',
      'html: <!-- a\n\ncomment -->',
      'html: <p>raw',
    ]);
  });

  test('include the definitions of references, which a reader does not see', () => {
    const types = parseBlocks(bodies.definitions!).map((block) => block.type);
    expect(types.filter((type) => type === 'definition').length).toBeGreaterThanOrEqual(3);
    expect(types).toContain('paragraph');
  });

  test('have the ids that are stored with the body', () => {
    expect(parseBlocks('a\n\nb', ['b_1', 'b_2']).map((block) => block.id)).toEqual(['b_1', 'b_2']);
  });

  test('get an id where none is stored, and never the same one twice', () => {
    const ids = parseBlocks('a\n\na\n\na', ['b_1', 'b_1']).map((block) => block.id);
    expect(ids[0]).toBe('b_1');
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toMatch(/^b_[0-9a-f]{8}$/);
  });

  test('have the same ids each time', () => {
    expect(parseBlocks('a\n\na\n\nb')).toEqual(parseBlocks('a\n\na\n\nb'));
  });
});

describe('hostile bodies', () => {
  test.each([
    ['quotes inside quotes', '>'.repeat(50_000)],
    ['lists inside lists', '1. '.repeat(50_000)],
    [
      'lists inside lists, line by line',
      Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
    ],
    ['one endless paragraph', 'word '.repeat(20_000)],
    ['an endless run of brackets', '!['.repeat(50_000)],
    ['too many blocks', 'a\n\n'.repeat(6_000)],
    ['too many bytes', '😀\n'.repeat(100_000)],
  ])('are refused: %s', (_, markdown) => {
    expect(() => parseBlocks(markdown)).toThrow(expect.objectContaining({ code: 'limit_exceeded' }));
  });

  test.each([
    ['brackets', '['.repeat(50_000)],
    ['comments', '<!--\n'.repeat(50_000)],
    ['the same block again and again', '```\n'.repeat(9_000)],
    ['definitions', '[a]:\n'.repeat(8_000)],
    ['a wide table', `${'a|'.repeat(10_000)}\n${'-|'.repeat(10_000)}\n${'a|\n'.repeat(1_000)}`],
    ['blank lines', '\n'.repeat(400_000)],
    ['tabs', '\t'.repeat(400_000)],
  ])('of allowed size are taken apart all the same: %s', (_, markdown) => {
    expectLossless(markdown, parseBlocks(markdown));
  });
});
