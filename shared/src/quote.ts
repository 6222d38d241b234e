/**
 * Text from content as it may stand in a sentence that a person decides by: in quotation marks that it cannot close, on
 * one line, without control, bidirectional or invisible characters, at most `max` characters long.
 */
export function quote(text: string, max = 80): string {
  // More than can matter is not looked at: the text may be a whole article.
  const plain = text
    .slice(0, max * 8)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/["“”„‟«»]/gu, "'")
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = [...plain];
  const cut = characters.length > max || text.length > max * 8;
  return `"${cut ? `${characters.slice(0, max - 1).join('')}…` : plain}"`;
}
