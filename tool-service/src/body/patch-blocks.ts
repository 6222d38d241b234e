import { fail } from '@cloudhal/shared/errors';
import { newBlockId } from './block-ids.ts';
import { bodyLimits } from './markdown.ts';
import { parseBlocks } from './parse-blocks.ts';
import { reconcileBlocks } from './reconcile-blocks.ts';
import { splitBlocks } from './split-blocks.ts';

export type BlockOp = {
  op: 'insert' | 'replace' | 'move' | 'remove';
  /** The block that is replaced, moved or removed. */
  block?: string;
  /** Where `insert` and `move` put it: after this block, or at the `start` or the `end`. */
  after?: string;
  /** The Markdown of `insert` and `replace`: one block or more. */
  content?: string;
};

export const maxOps = 200;

/** A block, with the blank lines before it. */
type Piece = { id: string; text: string; before: string };

type Draft = {
  pieces: Piece[];
  /** What follows the last piece. */
  rest: string;
  lineBreak: string;
  /** Every id that is or was in use. */
  taken: Set<string>;
};

/**
 * Applies the ops in order: all of them, or an error and none. Blocks that no op names stay byte for byte as they were;
 * new content takes the body's line breaks and is set apart by a blank line.
 */
export function patchBlocks(
  markdown: string,
  ids: readonly string[],
  ops: readonly BlockOp[],
): { markdown: string; ids: string[] } {
  if (ops.length > maxOps) throw fail('limit_exceeded', { what: 'The number of ops', max: maxOps });
  const written = ops.reduce((sum, { content = '' }) => sum + content.length, 0);
  if (written > bodyLimits.bytes) {
    throw fail('limit_exceeded', { what: 'The content', max: `${bodyLimits.bytes} bytes` });
  }
  const draft = { ...takeApart(markdown, ids), lineBreak: lineBreakOf(markdown), taken: new Set(ids) };
  for (const { id } of draft.pieces) draft.taken.add(id);
  for (const [index, op] of ops.entries()) apply(draft, op, `ops[${index}]`);
  refuseOpenEnds(draft.pieces);
  return putTogether(draft);
}

function takeApart(markdown: string, ids: readonly string[]): { pieces: Piece[]; rest: string } {
  let end = 0;
  const pieces = parseBlocks(markdown, ids).map((block) => {
    const before = markdown.slice(end, block.start);
    end = block.end;
    return { id: block.id, text: block.text, before };
  });
  return { pieces, rest: markdown.slice(end) };
}

/** CRLF only where every line ends so. */
function lineBreakOf(markdown: string): string {
  return markdown.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(markdown) ? '\r\n' : '\n';
}

function apply(draft: Draft, { op, block, after, content }: BlockOp, path: string): void {
  if (op === 'insert') {
    const pieces = contentOf(draft, content, path);
    for (const piece of pieces) piece.id = newBlockId(piece.text, draft.taken);
    insert(draft, placeOf(draft, after, path), pieces);
    return;
  }
  const index = indexOf(draft, block, `${path}.block`);
  if (op === 'replace') {
    replace(draft, index, contentOf(draft, content, path));
  } else if (op === 'remove') {
    remove(draft, index);
  } else {
    placeOf(draft, after, path);
    if (after === block) return;
    const piece = remove(draft, index);
    insert(draft, placeOf(draft, after, path), [piece]);
  }
}

/** Of the new blocks the most similar keeps the id; when none is similar, the first. */
function replace(draft: Draft, index: number, pieces: Piece[]): void {
  const old = draft.pieces[index]!;
  const similar = pieces.findIndex(({ text }) => reconcileBlocks(old.text, [old.id], text).includes(old.id));
  for (const [at, piece] of pieces.entries()) {
    piece.id = at === Math.max(similar, 0) ? old.id : newBlockId(piece.text, draft.taken);
  }
  pieces[0]!.before = old.before;
  draft.pieces.splice(index, 1, ...pieces);
}

function insert(draft: Draft, index: number, pieces: Piece[]): void {
  const next = draft.pieces[index];
  const blank = draft.lineBreak.repeat(2);
  pieces[0]!.before = index > 0 ? blank : (next?.before ?? '');
  if (next && (index === 0 || !holdsBlankLine(next.before))) next.before = blank;
  draft.pieces.splice(index, 0, ...pieces);
}

function remove(draft: Draft, index: number): Piece {
  const piece = draft.pieces[index]!;
  draft.pieces.splice(index, 1);
  const next = draft.pieces[index];
  // What this block kept apart stays apart.
  if (next && (index === 0 || holdsBlankLine(piece.before))) next.before = piece.before;
  else if (next && !holdsBlankLine(next.before)) next.before = draft.lineBreak.repeat(2);
  return piece;
}

function holdsBlankLine(between: string): boolean {
  return (between.match(/\r\n?|\n/g)?.length ?? 0) > 1;
}

function indexOf(draft: Draft, block: string | undefined, path: string): number {
  if (block === undefined) throw fail('validation_failed', { path, expected: 'the id of a block' });
  const index = draft.pieces.findIndex(({ id }) => id === block);
  if (index < 0) throw fail('not_found', { what: 'block', id: block });
  return index;
}

function placeOf(draft: Draft, after: string | undefined, path: string): number {
  if (after === 'start') return 0;
  if (after === 'end') return draft.pieces.length;
  if (after === undefined) {
    throw fail('validation_failed', { path: `${path}.after`, expected: 'the id of a block, start or end' });
  }
  return indexOf(draft, after, `${path}.after`) + 1;
}

function contentOf(draft: Draft, content = '', path: string): Piece[] {
  const text = draft.lineBreak === '\r\n' ? content.replace(/\r\n?|\n/g, '\r\n') : content;
  const { pieces } = takeApart(text, []);
  if (pieces.length === 0) {
    throw fail('validation_failed', { path: `${path}.content`, expected: 'Markdown that is not blank' });
  }
  return pieces;
}

/** A code fence or comment that is never closed would swallow every block after it. */
function refuseOpenEnds(pieces: Piece[]): void {
  for (const { text } of pieces.slice(0, -1)) {
    if (splitBlocks(`${text}\n\nend`).at(-1)!.text === 'end') continue;
    throw fail('validation_failed', { path: 'ops', expected: 'code fences and HTML comments that are closed' });
  }
}

function putTogether({ pieces, rest, taken }: Draft): { markdown: string; ids: string[] } {
  const idAt = new Map<number, string>();
  const parts: string[] = [];
  let length = 0;
  for (const { id, text, before } of pieces) {
    idAt.set(length + before.length, id);
    length += before.length + text.length;
    parts.push(before, text);
  }
  const markdown = pieces.length > 0 ? parts.join('') + rest : '';
  // Where two lists came to stand together they are one block now, under the id of the first.
  const ids = splitBlocks(markdown).map((span) => idAt.get(span.start) ?? newBlockId(span.text, taken));
  return { markdown, ids };
}
