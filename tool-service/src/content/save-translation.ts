import { fail } from '@cloudhal/shared/errors';
import type { EntryBody, PageBody } from '@cloudhal/shared/site/shapes';
import type { Translated } from '@cloudhal/shared/site/translation';
import type { Draft } from '../graph/draft.ts';
import type { GraphNode } from '../graph/node.ts';
import { refuseUnknownAssets } from '../graph/refuse-unknown-assets.ts';
import { pagePath, pageSlug } from './pages.ts';
import { newEntryVariant, translateEntry } from './translate-entry.ts';
import { translatePage } from './translate-page.ts';
import { digestOfText, type Text } from './translation-texts.ts';
import { findTranslation, originalAt, type Translatable, textsOf, translationId } from './translations.ts';

export type TranslationChange = {
  fields?: Record<string, unknown>;
  /** The whole body of an entry. */
  body?: string;
  blocks?: { block: string; text: string }[];
  /** Only of a new one; the original's when absent. */
  slug?: string;
};

type Saved = TranslationChange & {
  locale: string;
  /** That of the translation; 0 where there is none. */
  rev: number;
  /** That of the original which it was made from. */
  sourceRev: number;
  /** A person made the change: imported text counts as looked at. */
  byPerson: boolean;
};

/**
 * Saves texts of a translation, a new one or one that is there, and says of each what it was made from. Texts that the
 * change does not name stay as they are, and so does every other locale.
 */
export async function saveTranslation(draft: Draft, original: Translatable, saved: Saved): Promise<Translatable> {
  const { locale, rev, sourceRev } = saved;
  const source = await originalAt(draft, original, sourceRev);
  const texts = await textsOf(draft, { kind: original.kind, body: source });
  const there = await findTranslation(draft, original, locale);
  if (!there && rev !== 0) throw fail('not_found', { what: `${locale} translation of`, id: original.id });
  if (there && rev === 0) {
    const expected = `the rev that get_translation returned: ${there.id} is there already`;
    throw fail('validation_failed', { path: 'rev', expected });
  }
  if (there && saved.slug !== undefined && saved.slug !== there.body.slug) {
    throw fail('validation_failed', { path: 'slug', expected: 'none: update_entry and move_page change it' });
  }
  const made = (translated: Translated | undefined) => ({
    translation: { of: original.id, rev: sourceRev },
    translated: nowTranslated(translated, texts, saved),
  });
  if (original.kind === 'entry') {
    const from = source as EntryBody;
    const type = await draft.contentType(from.type);
    const change = (variant: EntryBody): EntryBody => {
      const { untrusted, ...next } = translateEntry(variant, from, type, saved);
      return { ...next, ...(untrusted && !saved.byPerson && { untrusted }), ...made(variant.translated) };
    };
    if (there) return draft.save('entry', there.id, rev, change);
    return addVariant(
      draft,
      original as GraphNode<'entry'>,
      locale,
      change(newEntryVariant(from, type, locale, saved.slug)),
    );
  }
  const from = source as PageBody;
  const change = (variant: PageBody): PageBody => ({
    ...translatePage(variant, from, saved),
    ...made(variant.translated),
  });
  if (there) return draft.save('page', there.id, rev, change);
  const variant = await newPageVariant(draft, from, locale, saved);
  return addVariant(draft, original as GraphNode<'page'>, locale, change(variant));
}

/** A new translation, or one that was in the trash, from the start. */
async function addVariant<K extends 'page' | 'entry'>(
  draft: Draft,
  original: GraphNode<K>,
  locale: string,
  body: GraphNode<K>['body'],
): Promise<GraphNode<K>> {
  await refuseUnknownAssets(draft, { kind: original.kind, body });
  return draft.restore({ id: translationId(original, locale), kind: original.kind }, undefined, body);
}

/** A page without sections under the translation of the page that the original is under. */
async function newPageVariant(draft: Draft, original: PageBody, locale: string, saved: Saved): Promise<PageBody> {
  if (saved.fields?.title === undefined) {
    throw fail('validation_failed', {
      path: 'fields.title',
      expected: 'the title: a new translation of a page has one',
    });
  }
  const { parent: above, translation: _, translated: __, seo, ...kept } = original;
  const parent = above === undefined ? undefined : await findTranslation(draft, { id: above, kind: 'page' }, locale);
  if (above !== undefined && !parent) {
    throw fail('validation_failed', {
      path: 'node',
      expected: `a page whose parent ${above} has a ${locale} translation`,
    });
  }
  const slug = await pageSlug(draft, saved.slug ?? original.slug, parent);
  return {
    ...kept,
    slug,
    ...(parent && { parent: parent.id }),
    path: pagePath(parent, slug),
    locale,
    sections: [],
    ...(seo?.noindex !== undefined && { seo: { noindex: seo.noindex } }),
  };
}

/** What each translated text is now made from. A whole body translates every block of the original. */
function nowTranslated(before: Translated = {}, texts: readonly Text[], change: TranslationChange): Translated {
  const named = new Set([...Object.keys(change.fields ?? {}), ...(change.blocks ?? []).map(({ block }) => block)]);
  const blocks = new Set(texts.filter((text) => text.in === 'blocks').map(({ name }) => name));
  const whole = change.body !== undefined;
  const kept = Object.entries(before).filter(([name]) => !whole || !name.startsWith('b_') || blocks.has(name));
  const fresh = texts.filter((text) => named.has(text.name) || (whole && text.in === 'blocks'));
  return Object.fromEntries([...kept, ...fresh.map(({ name, text }) => [name, digestOfText(text)])]);
}
