import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBlocks } from './parse-blocks.ts';
import { reconcileBlocks } from './reconcile-blocks.ts';
import { anyBody } from './testing/bodies.ts';

const old = [
  '# The river',
  'The river rises in the hills north of the town and reaches the sea after forty kilometres.',
  '---',
  'Salmon were seen again in the spring of last year, for the first time since the weir was built.',
  '---',
  'The council meets on Thursday to decide about the weir.',
].join('\n\n');
const ids = ['b_title', 'b_rises', 'b_rule1', 'b_salmon', 'b_rule2', 'b_council'];

describe('ids over an edit', () => {
  test('stay when nothing changes', () => {
    expect(reconcileBlocks(old, ids, old)).toEqual(ids);
  });

  test('stay when a block is inserted, and the new one gets its own', () => {
    const now = old.replace('---', 'A new paragraph about fishing rights.\n\n---');
    const kept = reconcileBlocks(old, ids, now);
    expect(kept.filter((id) => ids.includes(id))).toEqual(ids);
    expect(kept).toHaveLength(7);
    expect(ids).not.toContain(kept[2]);
  });

  test('stay with a block whose words change', () => {
    const now = old.replace('forty kilometres', 'almost fifty kilometres').replace('on Thursday', 'next Friday');
    expect(reconcileBlocks(old, ids, now)).toEqual(ids);
  });

  test('move with a block that moves, also when its words change', () => {
    const blocks = old.split('\n\n');
    const now = [
      blocks[3]!.replace('salmon', 'Salmon').replace('spring', 'autumn'),
      ...blocks.slice(0, 3),
      ...blocks.slice(4),
    ];
    expect(reconcileBlocks(old, ids, now.join('\n\n'))).toEqual([
      'b_salmon',
      'b_title',
      'b_rises',
      'b_rule1',
      'b_rule2',
      'b_council',
    ]);
  });

  test('are not given to a block that is about something else', () => {
    const now = old.replace(/The council.*/, 'Zwei Katzen, ein Hund: Haustiere im Hochhaus.');
    expect(reconcileBlocks(old, ids, now).at(-1)).not.toBe('b_council');
  });

  test('stay with the first of a block that is split in two', () => {
    const now = old.replace('and reaches the sea', '.\n\nIt reaches the sea');
    expect(reconcileBlocks(old, ids, now)).toContain('b_rises');
  });

  test('hold for languages without spaces', () => {
    const kept = reconcileBlocks(
      '川は町の北の丘から流れ出る。',
      ['b_1'],
      '新しい見出し\n\n川は町の北の山から流れ出る。',
    );
    expect(kept[1]).toBe('b_1');
  });

  test('are unique and as many as there are blocks, whatever the edit', () => {
    fc.assert(
      fc.property(anyBody, anyBody, (before, after) => {
        const oldIds = parseBlocks(before).map((block) => block.id);
        const kept = reconcileBlocks(before, oldIds, after);
        expect(kept).toHaveLength(parseBlocks(after).length);
        expect(new Set(kept).size).toBe(kept.length);
      }),
    );
  });

  test('are found for thousands of changed blocks', () => {
    const many = (word: string) => Array.from({ length: 4_000 }, (_, n) => `Paragraph ${n} says ${word}.`).join('\n\n');
    const before = many('one thing');
    const oldIds = parseBlocks(before).map((block) => block.id);
    expect(reconcileBlocks(before, oldIds, many('another thing'))).toEqual(oldIds);
  });
});
