import MarkdownIt, { type MarkdownIt as Markdown } from 'markdown-it';

/** CommonMark with tables and strikethrough. What is a block to an agent and what a reader sees come from this one parser. */
export function createMarkdown(): Markdown {
  // Links are found only where they are written as links: the fuzzy finder is slow on hostile text.
  return new MarkdownIt({ html: true, linkify: false, typographer: false });
}

/** What a body may be: beyond it a renderer would be slow, or would silently leave something out. */
export const bodyLimits = {
  /** Bytes of UTF-8. */
  bytes: 400 * 1024,
  blocks: 5_000,
  /** Levels of quotes and lists inside each other. */
  depth: 40,
  /** Characters of one paragraph, heading or table cell; inline Markdown costs the square of it at worst. */
  paragraph: 50_000,
} as const;
