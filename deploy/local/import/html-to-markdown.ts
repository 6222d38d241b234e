import { gfm } from '@truto/turndown-plugin-gfm';
import sanitizeHtml from 'sanitize-html';
import TurndownService from 'turndown';

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  emDelimiter: '*',
  hr: '---',
});
turndown.use(gfm);
// Code of older editors has no element of its own within.
turndown.addRule('preformatted', {
  filter: (node) => node.nodeName === 'PRE' && node.firstChild?.nodeName !== 'CODE',
  replacement(_, node) {
    const text = String(node.textContent ?? '').replace(/\n$/, '');
    const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
    const fence = '`'.repeat(longest + 1);
    return `\n\n${fence}\n${text}\n${fence}\n\n`;
  },
});
// A figure is its image, and its caption as a text of its own below it.
turndown.addRule('caption', {
  filter: 'figcaption',
  replacement: (content) => (content.trim() === '' ? '' : `\n\n*${content.trim()}*\n\n`),
});
// What is embedded becomes a link to it: nothing of another host is shown on the site.
turndown.addRule('embedded', {
  filter: ['iframe', 'video', 'audio'],
  replacement(_, node) {
    const element = node as unknown as { getAttribute(name: string): string | null };
    const source = element.getAttribute('src') ?? '';
    return /^https?:\/\//.test(source) ? `\n\n<${source}>\n\n` : '';
  },
});

const tags = [
  ...[
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'p',
    'br',
    'hr',
    'blockquote',
    'pre',
    'ul',
    'ol',
    'li',
    'div',
    'section',
    'article',
  ],
  ...['figure', 'figcaption', 'img', 'iframe', 'video', 'audio', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'b', 'strong', 'i', 'em', 'code', 'del', 's', 'strike', 'input'],
];
const attributes = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title'],
  iframe: ['src'],
  video: ['src'],
  audio: ['src'],
  code: ['class'],
  ol: ['start'],
  th: ['align'],
  td: ['align'],
  input: ['type', 'checked'],
};

/** Markdown of HTML that other systems keep; what Markdown has no form for becomes its text. */
export function htmlToMarkdown(html: string): string {
  // Before it becomes a tree: what is nested without end is left out, and so is what runs.
  const options = { allowedTags: tags, allowedAttributes: attributes, nestingLimit: 60 };
  const markdown = turndown.turndown(sanitizeHtml(html, options)).trim();
  return markdown === '' ? '' : `${markdown}\n`;
}

/** How many images of a text are shown from another host; readers see their alternative text until they are assets. */
export function imageNote(markdown: string): string[] {
  const images = markdown.match(/!\[[^\]]*\]\(\s*<?https?:\/\//g)?.length ?? 0;
  if (images === 0) return [];
  return [
    `${images === 1 ? 'One image stays' : `${images} images stay`} at the address that ${images === 1 ? 'it has' : 'they have'}.`,
  ];
}
