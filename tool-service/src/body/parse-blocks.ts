import { newBlockId } from './block-ids.ts';
import { type Span, splitBlocks } from './split-blocks.ts';

export type Block = Span & { id: string };

/**
 * The blocks of a body with their ids, in order. `ids` are those stored with this very text; without them, or for blocks
 * that they do not reach, an id is made from the text. `text.slice(start, end)` is the block, byte for byte, and what lies
 * between two blocks is blank.
 */
export function parseBlocks(markdown: string, ids: readonly string[] = []): Block[] {
  const spans = splitBlocks(markdown);
  const taken = new Set(ids);
  const used = new Set<string>();
  return spans.map((span, index) => {
    const kept = ids[index];
    if (kept === undefined || used.has(kept)) return { id: newBlockId(span.text, taken), ...span };
    used.add(kept);
    return { id: kept, ...span };
  });
}
