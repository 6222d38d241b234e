import { fail } from '@cloudhal/shared/errors';
import { type Block, parseBlocks } from './parse-blocks.ts';

export type BodyRange = {
  /** The first block; the body's first when absent. */
  from?: string;
  /** Characters of the first block to leave out: where an answer stopped inside a block. */
  offset?: number;
  /** The last block, included; the body's last when absent. */
  to?: string;
  maxTokens?: number;
};

export type BodyPart = {
  blocks: Pick<Block, 'id' | 'type' | 'text'>[];
  truncated: boolean;
  /** Where to go on. */
  next?: { from: string; offset?: number };
};

/** A part of a body that fits into `maxTokens`: whole blocks, and only where the first is too long by itself a piece of it. */
export function readBlocks(body: string, ids: readonly string[], range: BodyRange = {}): BodyPart {
  const all = parseBlocks(body, ids);
  const first = placeOf(all, range.from, 0);
  const last = placeOf(all, range.to, all.length - 1);
  const blocks: BodyPart['blocks'] = [];
  let left = (range.maxTokens ?? Number.POSITIVE_INFINITY) * bytesPerToken;
  for (let at = first; at <= last; at++) {
    const { id, type, text: whole } = all[at]!;
    const offset = at === first ? (range.offset ?? 0) : 0;
    const text = whole.slice(offset);
    const size = Buffer.byteLength(text);
    if (size > left && blocks.length > 0) return { blocks, truncated: true, next: { from: id } };
    if (size > left) {
      const piece = beginning(text, left);
      return {
        blocks: [{ id, type, text: piece }],
        truncated: true,
        next: { from: id, offset: offset + piece.length },
      };
    }
    blocks.push({ id, type, text });
    left -= size;
  }
  return { blocks, truncated: false };
}

/** What the common tokenizers need at most for prose; bytes, so that it also holds where words have no spaces. */
const bytesPerToken = 3;

function placeOf(blocks: Block[], id: string | undefined, otherwise: number): number {
  if (id === undefined) return otherwise;
  const place = blocks.findIndex((block) => block.id === id);
  if (place < 0) throw fail('not_found', { what: 'block', id });
  return place;
}

/** At least one character, never half of one. */
function beginning(text: string, bytes: number): string {
  let piece = '';
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes && piece !== '') break;
    piece += character;
  }
  return piece;
}
