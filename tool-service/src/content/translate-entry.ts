import { fail } from '@cloudhal/shared/errors';
import type { ContentTypeBody, EntryBody } from '@cloudhal/shared/site/shapes';
import { parseBlocks } from '../body/parse-blocks.ts';
import { patchBlocks } from '../body/patch-blocks.ts';
import { alignBlocks } from './align-blocks.ts';
import { checkFields } from './entries.ts';
import { mergeFields } from './merge-fields.ts';
import type { TranslationChange } from './save-translation.ts';
import { checkSlug } from './slug.ts';
import { entryTexts } from './translation-texts.ts';

/** A translation that has nothing translated yet: what is not language is the original's. */
export function newEntryVariant(original: EntryBody, type: ContentTypeBody, locale: string, slug?: string): EntryBody {
  const words = new Set(entryTexts({ ...original, body: '' }, type).map(({ name }) => name));
  const fields = Object.entries(original.fields).filter(([name]) => !words.has(name));
  // Its page shows those of the original; what is said in its own language is added to it.
  const { corrections: _, ...shared } = original;
  return {
    ...shared,
    slug: slug === undefined ? original.slug : checkSlug(slug),
    locale,
    fields: Object.fromEntries(fields),
    body: '',
    blocks: [],
  };
}

/** The translation with the texts of a change in it. */
export function translateEntry(
  variant: EntryBody,
  original: EntryBody,
  type: ContentTypeBody,
  { fields, body, blocks }: TranslationChange,
): EntryBody {
  const merged = mergeFields(variant.fields, fields);
  checkFields(type, merged, 'fields');
  const next = { ...variant, fields: merged };
  if (body !== undefined && blocks)
    throw fail('validation_failed', { path: 'body', expected: 'either body or blocks' });
  if ((body || blocks?.length) && !type.hasBody) {
    const path = body === undefined ? 'blocks' : 'body';
    throw fail('validation_failed', { path, expected: `none: entries of type ${type.name} have no body` });
  }
  if (body !== undefined) return { ...next, body, blocks: alignBlocks(original, variant, body) };
  return blocks ? { ...next, ...withBlocks(variant, original, blocks) } : next;
}

type Body = Pick<EntryBody, 'body' | 'blocks'>;

/** Puts translated blocks where the original has them; each is exactly one block. */
function withBlocks(before: Body, original: Body, blocks: readonly { block: string; text: string }[]): Body {
  const order = parseBlocks(original.body, original.blocks).map(({ id }) => id);
  return blocks.reduce((variant: Body, { block, text }, index) => {
    const path = `blocks[${index}]`;
    const at = order.indexOf(block);
    if (at < 0)
      throw fail('validation_failed', { path: `${path}.block`, expected: 'the id of a block of the original' });
    const there = new Set(variant.blocks);
    const op = there.has(block)
      ? ({ op: 'replace', block, content: text } as const)
      : ({
          op: 'insert',
          after: order.slice(0, at).findLast((id) => there.has(id)) ?? 'start',
          content: text,
        } as const);
    const { markdown, ids } = patchBlocks(variant.body, variant.blocks, [op]);
    const fresh = ids.filter((id) => !there.has(id));
    if (fresh.length !== (op.op === 'insert' ? 1 : 0) || ids.length !== there.size + fresh.length) {
      throw fail('validation_failed', { path: `${path}.text`, expected: 'exactly one block of Markdown' });
    }
    return { body: markdown, blocks: ids.map((id) => (fresh.includes(id) ? block : id)) };
  }, before);
}
