/** How nearly the same two texts are, and numbers by which such texts find each other in an index (MinHash in bands). */

/** Of a text beyond this many characters nothing is compared. */
const compared = 20_000;
const rows = 3;
const textBands = 12;
const titleBands = 6;

/** Texts that are half the same share a number four times of five; those that have little in common hardly ever. */
export function bandsOf(title: string, text: string): number[] {
  return [...bands(titleParts(title), titleBands, 1), ...bands(textParts(text), textBands, 2)];
}

/** What a title and a text consist of, to compare with others. */
export type Parts = { title: ReadonlySet<string>; text: ReadonlySet<string> };

export function partsOf(title: string, text: string): Parts {
  return { title: titleParts(title), text: textParts(text) };
}

/** The part that two have in common, from 0 to 1. */
export function likeness(a: Parts, b: Parts): { title: number; text: number } {
  return { title: overlap(a.title, b.title), text: overlap(a.text, b.text) };
}

/** Words as they count: without case, accents and punctuation; a character of a script without spaces is a word. */
function words(text: string): string[] {
  const plain = text
    .slice(0, compared)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
}

/** Runs of three words. */
function textParts(text: string): Set<string> {
  return runs(words(text), ' ');
}

/** Runs of three characters. */
function titleParts(title: string): Set<string> {
  return runs([...words(title).join(' ')], '');
}

function runs(items: readonly string[], joint: string): Set<string> {
  if (items.length === 0) return new Set();
  const all = Array.from({ length: Math.max(1, items.length - 2) }, (_, at) => items.slice(at, at + 3).join(joint));
  return new Set(all);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let both = 0;
  for (const part of a) if (b.has(part)) both++;
  return both / (a.size + b.size - both);
}

function bands(parts: ReadonlySet<string>, count: number, salt: number): number[] {
  if (parts.size === 0) return [];
  const least = new Uint32Array(count * rows).fill(0xffffffff);
  for (const part of parts) {
    const hash = hashOf(part);
    for (let i = 0; i < least.length; i++) {
      const mixed = mix(hash ^ Math.imul(i + 1, 0x9e3779b1));
      if (mixed < least[i]!) least[i] = mixed;
    }
  }
  return Array.from({ length: count }, (_, band) => {
    let joined = mix(salt * 0x10001 + band);
    for (let row = 0; row < rows; row++) joined = mix(joined ^ least[band * rows + row]!);
    return joined | 0;
  });
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function mix(value: number): number {
  let x = value >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
