import { createTwoFilesPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { hunksOf } from './text-diff-blocks.ts';

const patch = (before: string, after: string) =>
  createTwoFilesPatch('before', 'after', before, after, '', '', { context: 2 });

describe('a text diff', () => {
  it('is read as what stayed and what changed, place by place', () => {
    const before = ['one', 'two', 'three', ...Array(9).fill('same'), 'last', ''].join('\n');
    const after = before.replace('two', 'zwei\ndrei').replace('last\n', '');
    expect(hunksOf(patch(before, after))).toEqual([
      [{ same: ['one'] }, { before: ['two'], after: ['zwei', 'drei'] }, { same: ['three', 'same'] }],
      [{ same: ['same', 'same'] }, { before: ['last'], after: [] }],
    ]);
  });

  it('takes lines that look like its own marks for text', () => {
    const [hunk] = hunksOf(patch('a\n', 'a\n@@ -1 +1 @@\n+++ b\n'));
    expect(hunk).toEqual([
      { same: ['a'] },
      { before: [], after: ['@@ -1 +1 @@', '++ b'].map((text, i) => (i ? `+${text}` : text)) },
    ]);
  });

  it('leaves a sentence that stands in for one as it is', () => {
    expect(hunksOf('The two texts have too little in common.')).toEqual([
      [{ same: ['The two texts have too little in common.'] }],
    ]);
  });
});
