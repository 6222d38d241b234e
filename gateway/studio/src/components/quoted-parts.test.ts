import { describe, expect, it } from 'vitest';
import { cap, partsOf } from './quoted-parts.ts';

const read = (text: string) =>
  partsOf(text)
    .map((part) => ('text' in part ? part.text : `[${part.mark}]`))
    .join('');

describe('foreign text', () => {
  it.each([
    ['plain words', 'Seals — “quoted”, naïve, 中文, עברית'],
    ['lines and tabs', 'one\n\ttwo'],
    ['emoji of several parts', '👩‍🚀 and 🏳️‍🌈 and ❤️'],
    ['Devanagari with its marks', 'क्षत्रिय'],
  ])('shows %s as they are', (_, text) => {
    expect(partsOf(text)).toEqual([{ text }]);
  });

  it.each([
    ['an override of the direction', 'safe\u202Egpj.exe', 'safe[U+202E]gpj.exe'],
    ['isolates', '\u2066a\u2069', '[U+2066]a[U+2069]'],
    ['zero width characters', 'ad\u200Bmin', 'ad[U+200B]min'],
    ['a joiner where nothing is joined', 'ad\u200Dmin', 'ad[U+200D]min'],
    ['terminal escapes', '\u001b[31mred', '[U+001B][31mred'],
    ['tags that nobody sees', 'a\u{E0041}\u{E0042}', 'a[U+E0041][U+E0042]'],
    ['fillers that look like spaces', 'a\u3164b\u2800c', 'a[U+3164]b[U+2800]c'],
    ['half of a pair', 'a\uD800b', 'a[U+D800]b'],
    ['piles of marks', `Z${'\u0301'.repeat(40)}!`, 'Z[40 marks]!'],
  ])('names %s', (_, text, shown) => {
    expect(read(text)).toBe(shown);
  });

  it('knows one kind of line end', () => {
    expect(partsOf('a\r\nb\rc')).toEqual([{ text: 'a\nb\nc' }]);
  });

  it('is cut between characters', () => {
    expect(cap('ab', 2)).toEqual({ shown: 'ab', hidden: 0 });
    expect(cap('a😀b', 2)).toEqual({ shown: 'a', hidden: 3 });
  });
});
