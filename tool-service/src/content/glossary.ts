import type { View } from '../graph/view.ts';

/** The taxonomy whose terms say what a word is called in each locale. */
const taxonomy = 'glossary';
const mostTerms = 1_000;

export type GlossaryHit = { source: string; target: string };

/** The words of the site's glossary that occur in the texts, and what they are in the locale. */
export async function glossaryHits(
  view: View,
  texts: readonly string[],
  from: string,
  to: string,
): Promise<GlossaryHit[]> {
  const all = texts.join('\n').toLocaleLowerCase(from);
  const hits = new Map<string, string>();
  let cursor: string | undefined;
  for (let read = 0; read < mostTerms; ) {
    const page = await view.list({
      kind: 'term',
      type: taxonomy,
      sort: 'title',
      limit: 100,
      ...(cursor && { cursor }),
    });
    for (const { body } of page.items) {
      const label = (locale: string) => (body.locale === locale ? body.label : body.translations?.[locale]?.label);
      const [source, target] = [label(from), label(to)];
      if (source && target && isWordIn(source.toLocaleLowerCase(from), all)) hits.set(source, target);
    }
    read += page.items.length;
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  return [...hits].map(([source, target]) => ({ source, target }));
}

/** Not inside another word: of "sea" there is none in "season". Scripts without spaces have no such borders. */
function isWordIn(word: string, text: string): boolean {
  const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  const hasBorders = !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!hasBorders || (!isLetter(text[at - 1]) && !isLetter(text[at + word.length]))) return true;
  }
  return false;
}
