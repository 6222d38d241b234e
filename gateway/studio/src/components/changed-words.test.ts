import { describe, expect, it } from 'vitest';
import { changedWords } from './changed-words.ts';

/** As one reads it: [-went-] and {+came+}. */
const read = (before: string, after: string) =>
  changedWords(before, after)
    .map(({ value, added, removed }) => (added ? `{+${value}+}` : removed ? `[-${value}-]` : value))
    .join('');

describe('the words that changed', () => {
  it.each([
    ['one word', 'a b c', 'a x c', 'a [-b-]{+x+} c'],
    ['words side by side', 'of one hundred metres', 'of fifty metres', 'of [-one hundred-]{+fifty+} metres'],
    ['two places', 'a b c d', 'x b c y', '[-a-]{+x+} b c [-d-]{+y+}'],
    ['the lines of two paragraphs', 'a\n\nb', 'x\n\ny', '[-a-]{+x+}\n\n[-b-]{+y+}'],
    ['what only went', 'a b c', 'a c', 'a [-b -]c'],
    ['what only came, at the end', 'a', 'a b', 'a{+ b+}'],
    ['nothing', 'a b', 'a b', 'a b'],
    ['everything', 'a b', 'x y', '[-a b-]{+x y+}'],
  ])('%s', (_, before, after, words) => expect(read(before, after)).toBe(words));

  it('are all there: what stayed with what went is the text before, with what came the text after', () => {
    const [before, after] = ['The ferry  is\nback again, for good.', 'A boat is back,\n\nfor the winter.'];
    const pieces = changedWords(before, after);
    const text = (leave: 'added' | 'removed') => pieces.flatMap((piece) => (piece[leave] ? [] : piece.value)).join('');
    expect([text('added'), text('removed')]).toEqual([before, after]);
  });
});
