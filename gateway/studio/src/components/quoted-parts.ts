/** A piece of foreign text: shown as it is, or named because nobody would see it. */
export type Part = { text: string } | { mark: string; name: string };

const names: Record<number, string> = {
  0: 'null',
  8: 'backspace',
  27: 'escape',
  127: 'delete',
  173: 'soft hyphen',
  8203: 'zero width space',
  8204: 'zero width non-joiner',
  8205: 'zero width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'pop directional formatting',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8232: 'line separator',
  8233: 'paragraph separator',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'pop directional isolate',
  65279: 'zero width no-break space',
};

// Controls but for tab and line feed, format characters, what has no glyph, lone surrogates, private use, and piles of
// combining marks. A joiner between emoji, and a variation selector, are what they seem.
const hidden =
  /(?!(?<=\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic}))[\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u115F\u1160\u3164\uFFA0\u2800]|(?![\t\n])\p{Cc}|\p{M}{4,}/gu;

/** Splits foreign text so that whatever could hide or turn around what it says is named instead. Pure. */
export function partsOf(text: string): Part[] {
  const lines = text.replace(/\r\n?/g, '\n');
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of lines.matchAll(hidden)) {
    if (index > end) parts.push({ text: lines.slice(end, index) });
    parts.push(markOf(found));
    end = index + found.length;
  }
  if (end < lines.length) parts.push({ text: lines.slice(end) });
  return parts;
}

function markOf(found: string): Part {
  const code = found.codePointAt(0)!;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (/^\p{M}/u.test(found))
    return { mark: `${[...found].length} marks`, name: 'combining marks on top of each other' };
  return { mark: number, name: names[code] ?? number };
}

/** Foreign text as a label that has to be plain text. Pure. */
export function plainText(text: string): string {
  return partsOf(text)
    .map((part) => ('text' in part ? part.text : `[${part.mark}]`))
    .join('');
}

/** The beginning of a text, never within a character; `hidden` counts what was left out. */
export function cap(text: string, most: number): { shown: string; hidden: number } {
  if (text.length <= most) return { shown: text, hidden: 0 };
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return { shown: text.slice(0, end), hidden: text.length - end };
}
