import type { Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { bodyLimits, createMarkdown } from '../body/markdown.ts';
import { headingIds, headingLevels } from './headings.ts';
import { type Html, raw } from './html.ts';
import { type Place, resolveLink } from './links.ts';
import { type Assets, assetIdOf } from './media.ts';
import { sanitizerOptions } from './sanitizer-options.ts';

export type ProseOptions = Place & {
  /** The level of the first heading; deeper ones follow without a gap. */
  top: number;
  /** Ids that are used on the page; those of the headings are added. */
  ids: Set<string>;
  /** The assets that it may show, and the locale that is said of them. */
  assets?: Assets;
  locale?: string | undefined;
  site?: { defaultLocale: string };
  /** Text from outside that nobody has edited yet: its links say so to search engines. */
  untrusted?: boolean;
  /** What a screen reader calls a table or code that scrolls. */
  names: { table: string; code: string };
};

const markdown = createMarkdown();

// Longer runs cost the square of their length; they are shown as they were written.
markdown.core.ruler.before('inline', 'long_text', ({ tokens }) => {
  for (const token of tokens) {
    if (token.type === 'inline' && token.content.length > bodyLimits.paragraph) token.type = 'plain_text';
  }
});
markdown.renderer.rules.plain_text = (tokens, index) => markdown.utils.escapeHtml(tokens[index]!.content);

// Inline styles are forbidden by the page's policy.
for (const cell of ['th_open', 'td_open']) {
  markdown.renderer.rules[cell] = (tokens, index, options, _env, self) => {
    const token = tokens[index]!;
    const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
    token.attrs = align ? [['class', `align-${align}`]] : [];
    return self.renderToken(tokens, index, options);
  };
}

// An image of another host would tell it who reads the page; its alternative text stands in for it.
const image = markdown.renderer.rules.image!;
markdown.renderer.rules.image = (tokens, index, options, env, self) => {
  const token = tokens[index]!;
  const asset = assetIdOf(String(token.attrGet('src') ?? ''));
  if (asset !== undefined && (env as ProseOptions).assets?.has(asset)) return image(tokens, index, options, env, self);
  if (resolveLink(String(token.attrGet('src') ?? ''), env as Place)?.kind === 'internal') {
    return image(tokens, index, options, env, self);
  }
  const alt = self.renderInlineAsText(token.children ?? [], options, env);
  return alt === '' ? '' : `<span class="absent-image">${markdown.utils.escapeHtml(alt)}</span>`;
};

/** Markdown as HTML that is safe to serve: sanitized after it was made, balanced, its headings below the page's own. */
export function prose(text: string, options: ProseOptions): Html {
  const tokens = markdown.parse(text, {});
  nameHeadings(tokens);
  const dirty = markdown.renderer.render(tokens, markdown.options, { ...options });
  const clean = sanitizeHtml(
    dirty,
    sanitizerOptions({ ...options, level: headingLevels(options.top), id: headingIds(options.ids) }),
  );
  return raw(scrollable(clean, options.names));
}

/** The heading's text goes along as an attribute, which the sanitizer turns into an id. */
function nameHeadings(tokens: Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
    token.attrSet('id', text);
  }
}

/** What is wider than the screen scrolls by itself, with a keyboard too. The sanitizer's tags are bare and balanced. */
function scrollable(clean: string, names: ProseOptions['names']): string {
  const group = (name: string) => `tabindex="0" role="group" aria-label="${markdown.utils.escapeHtml(name)}"`;
  return clean
    .replaceAll('<table>', `<div class="scroll" ${group(names.table)}><table>`)
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', `<pre ${group(names.code)}>`);
}
