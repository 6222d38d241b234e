const block =
  /^\s*<\/?(?:h[1-6]|p|div|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|blockquote|pre|figure|figcaption|hr|section|article|aside|iframe|form|!--)/i;

/**
 * WordPress keeps texts of its older editor without paragraphs: an empty line ends one, and a line break is one. Texts of
 * the newer editor say so in comments and are whole already.
 */
export function paragraphs(html: string): string {
  if (html.includes('<!-- wp:') || /<p[\s>]/i.test(html)) return html;
  const kept: string[] = [];
  const open = html.replace(/<pre[\s>][\s\S]*?<\/pre>/gi, (found) => `\n\n\u0000${kept.push(found) - 1}\u0000\n\n`);
  return open
    .split(/\r?\n[ \t]*\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const verbatim = /^\u0000(\d+)\u0000$/.exec(part);
      if (verbatim) return kept[Number(verbatim[1])] ?? '';
      return block.test(part) ? part : `<p>${part.replace(/\r?\n/g, '<br>\n')}</p>`;
    })
    .join('\n\n');
}
