import { newBlockId } from './block-ids.ts';
import { parseBlocks } from './parse-blocks.ts';
import { splitBlocks } from './split-blocks.ts';

/** Below this share of common trigrams two blocks are different blocks; unrelated prose has about 0.2 in common. */
const similarEnough = 0.4;
/** How much of a block is compared. */
const compared = 1_000;
/** More pairs than this are not compared one by one; then only neighbours are. */
const maxPairs = 10_000;
const neighbours = 5;

/** The ids of `newMarkdown`'s blocks: unchanged and moved blocks keep theirs, then the most similar, and the rest get new ones. */
export function reconcileBlocks(oldMarkdown: string, oldIds: readonly string[], newMarkdown: string): string[] {
  if (oldMarkdown === newMarkdown) return parseBlocks(oldMarkdown, oldIds).map((block) => block.id);
  const old = parseBlocks(oldMarkdown, oldIds);
  const now = splitBlocks(newMarkdown);
  const ids: (string | undefined)[] = new Array(now.length);
  const free = new Set(old.keys());
  const keep = (from: number, to: number) => {
    ids[to] = old[from]!.id;
    free.delete(from);
  };

  // Repeated texts, such as rules, are told apart by what surrounds them: first from both ends, then in order.
  let head = 0;
  const shared = Math.min(old.length, now.length);
  for (; head < shared && old[head]!.text === now[head]!.text; head++) keep(head, head);
  for (let tail = 1; tail <= shared - head && old.at(-tail)!.text === now.at(-tail)!.text; tail++) {
    keep(old.length - tail, now.length - tail);
  }
  const byText = new Map<string, number[]>();
  for (const from of free) byText.set(old[from]!.text, [...(byText.get(old[from]!.text) ?? []), from]);
  for (const [to, block] of now.entries()) {
    if (ids[to] !== undefined) continue;
    const from = byText.get(block.text)?.shift();
    if (from !== undefined) keep(from, to);
  }

  const open = [...now.keys()].filter((to) => ids[to] === undefined);
  for (const { from, to } of similarPairs(
    [...free],
    open,
    (from) => old[from]!.text,
    (to) => now[to]!.text,
  )) {
    if (free.has(from) && ids[to] === undefined) keep(from, to);
  }
  const taken = new Set(old.map((block) => block.id));
  return now.map((block, to) => ids[to] ?? newBlockId(block.text, taken));
}

/** Pairs that are alike, the most alike first; among equals those that moved least. */
function similarPairs(
  from: number[],
  to: number[],
  oldText: (index: number) => string,
  newText: (index: number) => string,
): { from: number; to: number }[] {
  const few = from.length * to.length <= maxPairs;
  const oldGrams = from.map((index) => trigrams(oldText(index)));
  const newGrams = to.map((index) => trigrams(newText(index)));
  const pairs: { from: number; to: number; score: number; distance: number }[] = [];
  for (const [i, oldIndex] of from.entries()) {
    for (const [j, newIndex] of to.entries()) {
      const distance = Math.abs(i - j);
      if (!few && distance > neighbours) continue;
      const score = similarity(oldGrams[i]!, newGrams[j]!);
      if (score >= similarEnough) pairs.push({ from: oldIndex, to: newIndex, score, distance });
    }
  }
  return pairs.sort((a, b) => b.score - a.score || a.distance - b.distance);
}

type Grams = { counts: Map<string, number>; total: number };

function trigrams(text: string): Grams {
  const counts = new Map<string, number>();
  const end = Math.min(text.length, compared);
  for (let at = 0; at < end; at++) {
    const gram = text.slice(at, at + 3);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return { counts, total: end };
}

/** Dice's coefficient of two bags. */
function similarity(a: Grams, b: Grams): number {
  const [small, large] = a.counts.size < b.counts.size ? [a, b] : [b, a];
  // Bags of very different size cannot reach the threshold.
  if (Math.min(a.total, b.total) * 2 < similarEnough * (a.total + b.total)) return 0;
  let common = 0;
  for (const [gram, count] of small.counts) common += Math.min(count, large.counts.get(gram) ?? 0);
  return (2 * common) / (a.total + b.total);
}
