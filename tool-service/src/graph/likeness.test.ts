import { describe, expect, it } from 'vitest';
import { bandsOf, likeness, partsOf } from './likeness.ts';

/** Prose of its own for each seed. */
function prose(seed: number, words = 200): string {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state;
  };
  return Array.from({ length: words }, () => `word${next() % 900}`).join(' ');
}

const meet = (a: [string, string], b: [string, string]) => {
  const there = new Set(bandsOf(...a));
  return bandsOf(...b).some((band) => there.has(band));
};

describe('likeness', () => {
  it('of a text and itself is whole, whatever its case, accents and punctuation', () => {
    expect(likeness(partsOf('A café', 'One, two: three!'), partsOf('a CAFE', 'one two three'))).toEqual({
      title: 1,
      text: 1,
    });
  });

  it('sees a copy with a paragraph added, and words changed here and there', () => {
    const copies = Array.from({ length: 50 }, (_, seed) => {
      const text = prose(seed + 1);
      const copy = `${text.replace('word1', 'other').replace('word2', 'changed')} ${prose(seed + 500, 30)}`;
      return {
        found: meet(['x', text], ['', copy]),
        like: likeness(partsOf('', text), partsOf('', copy)).text,
      };
    });
    expect(copies.every(({ like }) => like > 0.6)).toBe(true);
    expect(copies.filter(({ found }) => found).length).toBeGreaterThanOrEqual(48);
  });

  it('sees a title that is written a little differently', () => {
    expect(meet(['Harbour bridge closed for repairs', ''], ['The harbour bridge is closed for repairs', ''])).toBe(
      true,
    );
  });

  it('keeps different texts apart', () => {
    const texts = Array.from({ length: 60 }, (_, seed) => prose(seed + 1));
    const pairs = texts.flatMap((a, i) => texts.slice(i + 1).map((b) => meet(['', a], ['', b])));
    expect(pairs.filter(Boolean).length).toBeLessThan(pairs.length / 100);
  });

  it('finds nothing alike in what is empty, and takes scripts without spaces', () => {
    expect(bandsOf('', '… — !')).toEqual([]);
    expect(likeness(partsOf('', ''), partsOf('', ''))).toEqual({ title: 0, text: 0 });
    const text = '港の橋は修理のため閉鎖されている';
    expect(likeness(partsOf('', text), partsOf('', `${text}今日`)).text).toBeGreaterThan(0.8);
  });
});
