import { fail } from '@cloudhal/shared/errors';
import { bodyLimits, createMarkdown } from './markdown.ts';

export const blockTypes = [
  'heading',
  'paragraph',
  'list',
  'quote',
  'code',
  'table',
  'html',
  'rule',
  'definition',
] as const;
export type BlockType = (typeof blockTypes)[number];

/** A top-level block: whole lines, without the line break that ends the last of them. */
export type Span = { type: BlockType; text: string; start: number; end: number };

type Lines = { starts: number[]; ends: number[] };

const types: Record<string, BlockType> = {
  heading_open: 'heading',
  paragraph_open: 'paragraph',
  bullet_list_open: 'list',
  ordered_list_open: 'list',
  blockquote_open: 'quote',
  fence: 'code',
  code_block: 'code',
  table_open: 'table',
  html_block: 'html',
  hr: 'rule',
  reference_definition: 'definition',
};

const markdown = createMarkdown();

/** The top-level blocks in order. Every line that is not blank is inside exactly one of them; refuses what is over the limits. */
export function splitBlocks(text: string): Span[] {
  if (Buffer.byteLength(text) > bodyLimits.bytes)
    throw fail('limit_exceeded', { what: 'The body', max: `${bodyLimits.bytes} bytes` });
  const lines = linesOf(text);
  const spans: Span[] = [];
  let next = 0;
  const add = (type: BlockType, from: number, to: number) => {
    const first = skipBlank(text, lines, from, to);
    let last = to;
    while (last > first && isBlank(text, lines, last - 1)) last--;
    if (first === last) return;
    const start = lines.starts[first]!;
    const end = lines.ends[last - 1]!;
    spans.push({ type, text: text.slice(start, end), start, end });
  };
  for (const token of topLevel(text)) {
    const [from, to] = token.map;
    // Lines that made no token are definitions of references.
    if (from > next) add('definition', next, from);
    add(types[token.type] ?? 'paragraph', Math.max(from, next), to);
    next = Math.max(next, to);
  }
  add('definition', next, lines.starts.length);
  if (spans.length > bodyLimits.blocks)
    throw fail('limit_exceeded', { what: 'The number of blocks', max: bodyLimits.blocks });
  return spans;
}

function topLevel(text: string): { type: string; map: [number, number] }[] {
  const tokens: ReturnType<typeof markdown.parse> = [];
  markdown.block.parse(normalized(text), markdown, {}, tokens);
  const found: { type: string; map: [number, number] }[] = [];
  for (const token of tokens) {
    if (token.level > bodyLimits.depth)
      throw fail('limit_exceeded', { what: 'The nesting of the body', max: bodyLimits.depth });
    if (token.type === 'inline' && token.content.length > bodyLimits.paragraph) {
      throw fail('limit_exceeded', { what: 'A paragraph', max: `${bodyLimits.paragraph} characters` });
    }
    if (token.level === 0 && token.map && token.nesting >= 0) found.push({ type: token.type, map: token.map });
  }
  return found;
}

/** As the parser's own first step does; lines and their number stay the same. */
function normalized(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');
}

function linesOf(text: string): Lines {
  const starts = [0];
  const ends: number[] = [];
  for (const match of text.matchAll(/\r\n?|\n/g)) {
    ends.push(match.index);
    starts.push(match.index + match[0].length);
  }
  ends.push(text.length);
  return { starts, ends };
}

function isBlank(text: string, lines: Lines, line: number): boolean {
  for (let at = lines.starts[line]!; at < lines.ends[line]!; at++) {
    if (text[at] !== ' ' && text[at] !== '\t') return false;
  }
  return true;
}

function skipBlank(text: string, lines: Lines, from: number, to: number): number {
  let line = from;
  while (line < to && isBlank(text, lines, line)) line++;
  return line;
}
