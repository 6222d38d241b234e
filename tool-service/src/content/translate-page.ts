import { fail } from '@cloudhal/shared/errors';
import type { PageBody, Section } from '@cloudhal/shared/site/shapes';
import { mergeFields } from './merge-fields.ts';
import type { TranslationChange } from './save-translation.ts';
import { mergeProps } from './sections.ts';
import { pageTexts } from './translation-texts.ts';

const fieldNames = ['title', 'seo.title', 'seo.description'];

/** A translation with the texts of a change in it; a section that gets its first text comes along from the original. */
export function translatePage(
  variant: PageBody,
  original: PageBody,
  { fields = {}, body, blocks = [] }: TranslationChange,
): PageBody {
  if (body !== undefined)
    throw fail('validation_failed', { path: 'body', expected: 'none: a page is translated by blocks' });
  const odd = Object.keys(fields).find((name) => !fieldNames.includes(name));
  if (odd !== undefined) throw fail('validation_failed', { path: `fields.${odd}`, expected: fieldNames.join(', ') });
  const { title = variant.title, ...seo } = mergeFields({}, fields) as Record<string, string>;
  for (const [name, text] of Object.entries({ title, ...seo })) {
    if (typeof text !== 'string' || text.trim() === '' || text.length > 500)
      throw fail('validation_failed', { path: `fields.${name}`, expected: 'a text of at most 500 characters' });
  }
  const heads = Object.entries(seo).map(([name, text]) => [name.slice('seo.'.length), text]);
  return {
    ...variant,
    title,
    ...(heads.length > 0 && { seo: { ...variant.seo, ...Object.fromEntries(heads) } }),
    sections: blocks.reduce(
      (sections: Section[], text, index) => withText(sections, original, text, index),
      variant.sections,
    ),
  };
}

function withText(
  sections: Section[],
  original: PageBody,
  { block, text }: { block: string; text: string },
  index: number,
): Section[] {
  const path = `blocks[${index}]`;
  if (!pageTexts(original).some(({ name, in: place }) => place === 'blocks' && name === block)) {
    throw fail('validation_failed', { path: `${path}.block`, expected: 'the name of a text of the original' });
  }
  const [id, ...names] = block.split('.');
  const source = original.sections.find((section) => section.id === id)!;
  const there = withSection(sections, original.sections, source);
  return there.map((section) => {
    if (section.id !== id) return section;
    const props = structuredClone(section.props);
    put(props, source.props, names, text);
    return mergeProps(section, props, [], `${path}.text`);
  });
}

/** The sections with this one among them, where the original has it. */
function withSection(sections: Section[], order: readonly Section[], source: Section): Section[] {
  if (sections.some(({ id }) => id === source.id)) return sections;
  const before = order.slice(0, order.indexOf(source)).map(({ id }) => id);
  const place = sections.findLastIndex(({ id }) => before.includes(id)) + 1;
  return [...sections.slice(0, place), structuredClone(source), ...sections.slice(place)];
}

type Props = Record<string, unknown>;

/** Sets the text at the end of a path, and what the way there lacks as the original has it. */
function put(props: Props, source: Props, names: readonly string[], text: string): void {
  const [name = '', ...rest] = names;
  if (rest.length === 0) {
    props[name] = text;
    return;
  }
  if (typeof props[name] !== 'object' || props[name] === null) props[name] = structuredClone(source[name]);
  put(props[name] as Props, source[name] as Props, rest, text);
}
