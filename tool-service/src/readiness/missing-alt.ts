import type { EntryBody, PageBody } from '@cloudhal/shared/site/shapes';
import type { Token } from 'markdown-it';
import { createMarkdown } from '../body/markdown.ts';
import type { GraphNode } from '../graph/node.ts';

const markdown = createMarkdown();

/** How many pictures in the text of a page or entry say nothing to whoever does not see them. */
export function missingAlt({ kind, body }: GraphNode): number {
  const texts =
    kind === 'entry'
      ? [(body as EntryBody).body]
      : kind === 'page'
        ? (body as PageBody).sections.map(({ props }) => props.markdown)
        : [];
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? silentPictures(text) : 0), 0);
}

function silentPictures(text: string): number {
  // Most texts have no picture, and need not be parsed.
  if (!text.includes('![')) return 0;
  const inline: Token[] = markdown.parse(text, {}).flatMap(({ children }) => children ?? []);
  return inline.filter(({ type, content }) => type === 'image' && content.trim() === '').length;
}
