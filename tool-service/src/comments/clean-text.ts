/** What a comment may hold, in characters. */
export const commentLimits = { author: 80, text: 4_000 } as const;

export type Words = { author: string; text: string };
/** Why words are not taken as a comment. */
export type Fault = 'empty' | 'long';

/**
 * A reader's words as they are kept: composed, and without what does not show, reorders text, or piles up marks. They are
 * text and never markup; whoever shows them escapes them.
 */
export function cleanWords(said: Words): Words {
  return {
    author: clean(said.author).replace(/\s+/gu, ' ').trim(),
    text: clean(said.text.replace(/\r\n?/g, '\n'))
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n ?/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  };
}

export function faultOf({ author, text }: Words): Fault | undefined {
  if (author === '' || !/[\p{L}\p{N}]/u.test(author) || !/[\p{L}\p{N}\p{S}]/u.test(text)) return 'empty';
  return [...author].length > commentLimits.author || [...text].length > commentLimits.text ? 'long' : undefined;
}

function clean(text: string): string {
  return (
    text
      .normalize('NFC')
      // Joiners stay: scripts and emoji are written with them.
      .replace(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\ufffd]/gu, '')
      .replace(/[\p{Zl}\p{Zp}]/gu, '\n')
      .replace(/(\p{M}{4})\p{M}+/gu, '$1')
  );
}
