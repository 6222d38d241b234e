import { expect, test } from 'vitest';
import { outline } from './outline.ts';
import { parseBlocks } from './parse-blocks.ts';
import { readBlocks } from './read-blocks.ts';
import { bodies } from './testing/bodies.ts';

const body =
  'Intro.\n\n# One *two* `three`\n\nText.\n\n- a\n- b\n\n## Sub\n====\n\nTitle with [a link](/x)\n---\n\nEnd.';
const ids = parseBlocks(body).map((block) => block.id);

test('an outline lists the headings as plain text, with what stands under each', () => {
  expect(outline(body, ids).map(({ level, text, blocks }) => [level, text, blocks])).toEqual([
    [0, '', 1],
    [1, 'One two three', 2],
    [2, 'Sub', 1],
    [2, 'Title with a link', 1],
  ]);
  expect(outline(body, ids)[1]!.block).toBe(ids[1]);
});

test('an outline of a body without headings has one item, of an empty body none', () => {
  expect(outline('a\n\nb')).toMatchObject([{ level: 0, blocks: 2 }]);
  expect(outline('')).toEqual([]);
});

test('a body is read whole when it fits', () => {
  const part = readBlocks(body, ids);
  expect(part.truncated).toBe(false);
  expect(part.blocks.map((block) => block.id)).toEqual(ids);
});

test('a range is read by the ids of its ends', () => {
  expect(readBlocks(body, ids, { from: ids[2], to: ids[3] }).blocks.map((block) => block.text)).toEqual([
    'Text.',
    '- a\n- b',
  ]);
});

test('an unknown block is refused', () => {
  expect(() => readBlocks(body, ids, { from: 'b_none' })).toThrow(expect.objectContaining({ code: 'not_found' }));
});

test.each([1, 3, 10, 50])('reading on in parts of %i tokens gives every block, byte for byte', (maxTokens) => {
  for (const text of [body, '😀é漢字'.repeat(40), bodies['fence with blank lines']!]) {
    const stored = parseBlocks(text).map((block) => block.id);
    const read = new Map<string, string>();
    let next: { from?: string; offset?: number } | undefined = {};
    while (next) {
      const part = readBlocks(text, stored, { ...next, maxTokens });
      expect(part.blocks.length).toBeGreaterThan(0);
      for (const block of part.blocks) {
        expect(Buffer.from(block.text).toString()).toBe(block.text);
        read.set(block.id, (read.get(block.id) ?? '') + block.text);
      }
      next = part.next;
    }
    expect([...read.values()]).toEqual(parseBlocks(text).map((block) => block.text));
  }
});
