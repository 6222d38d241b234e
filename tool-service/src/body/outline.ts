import type { Token } from 'markdown-it';
import { createMarkdown } from './markdown.ts';
import { parseBlocks } from './parse-blocks.ts';

export type OutlineItem = {
  /** The heading's block; absent for what stands before the first heading. */
  block?: string;
  /** 1 to 6; 0 for what stands before the first heading. */
  level: number;
  text: string;
  /** Blocks and characters under the heading, up to the next one. */
  blocks: number;
  characters: number;
};

const markdown = createMarkdown();

/** The headings of a body in order, as plain text, with how much stands under each. */
export function outline(body: string, ids?: readonly string[]): OutlineItem[] {
  const items: OutlineItem[] = [{ level: 0, text: '', blocks: 0, characters: 0 }];
  for (const block of parseBlocks(body, ids)) {
    if (block.type === 'heading') {
      items.push({ block: block.id, ...heading(block.text), blocks: 0, characters: 0 });
    } else {
      const item = items.at(-1)!;
      item.blocks++;
      item.characters += block.text.length;
    }
  }
  return items[0]!.blocks > 0 ? items : items.slice(1);
}

function heading(source: string): { level: number; text: string } {
  const [open, inline] = markdown.parse(source, {});
  const text = (inline?.children ?? []).map(plain).join('');
  return { level: Number(open!.tag.slice(1)), text };
}

function plain(token: Token): string {
  if (token.type === 'html_inline') return '';
  return token.type === 'softbreak' || token.type === 'hardbreak' ? ' ' : token.content;
}
