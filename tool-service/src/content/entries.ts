import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import type { ContentTypeBody, EntryBody } from '@cloudhal/shared/site/shapes';
import { parseBlocks } from '../body/parse-blocks.ts';
import { reconcileBlocks } from '../body/reconcile-blocks.ts';
import type { Draft } from '../graph/draft.ts';
import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { conform, interned } from './conform.ts';
import { mergeFields } from './merge-fields.ts';
import { personIds } from './people.ts';
import { resolveReferences } from './references.ts';
import { checkSlug, slugFrom } from './slug.ts';
import { checkTerms } from './taxonomies.ts';
import { mergeTerms, type TermChange } from './terms.ts';

type NewEntry = {
  type: string;
  fields: Record<string, unknown>;
  body?: string;
  slug?: string;
  locale?: string;
  terms?: Record<string, string[]>;
  /** People by id or slug. */
  bylines?: string[];
  untrusted?: boolean;
};

type EntryChange = {
  set?: Record<string, unknown>;
  unset?: string[];
  /** The whole new body. */
  body?: string;
  terms?: TermChange;
  /** People by id or slug, all of them; none takes the member away. */
  bylines?: string[];
  /** Only while readers have no address of it. */
  slug?: string;
  /** A person made the change: imported text counts as looked at. */
  byPerson?: boolean;
};

/** A new draft of a type, checked against it. */
export async function createEntry(draft: Draft, entry: NewEntry): Promise<GraphNode<'entry'>> {
  const type = await draft.contentType(entry.type);
  const fields = await resolveReferences(draft, type, entry.fields, 'fields');
  checkFields(type, fields, 'fields');
  const body = entry.body ?? '';
  checkBody(type, body);
  if (entry.terms) await checkTerms(draft, type.name, entry.terms);
  return draft.create('entry', {
    type: type.name,
    slug: entry.slug === undefined ? slugFrom(String(fields.title)) : checkSlug(entry.slug),
    locale: await siteLocale(draft, entry.locale),
    fields,
    body,
    blocks: body === '' ? [] : parseBlocks(body).map((block) => block.id),
    ...(entry.terms && { terms: mergeTerms({}, { add: entry.terms }) }),
    ...(entry.bylines && { bylines: await personIds(draft, entry.bylines, 'bylines') }),
    ...(entry.untrusted && { untrusted: true }),
  });
}

/** Merges a change into an entry's fields, terms and body; what the change does not name stays as it is. */
export function saveEntry(draft: Draft, ref: string, rev: number, change: EntryChange): Promise<GraphNode<'entry'>> {
  return draft.save('entry', ref, rev, async (entry, node) => {
    const type = await draft.contentType(entry.type);
    const { untrusted, ...kept } = entry;
    const set = await resolveReferences(draft, type, change.set, 'set');
    const fields = mergeFields(entry.fields, set, change.unset);
    checkFields(type, fields, 'set');
    if (change.terms?.add) await checkTerms(draft, type.name, change.terms.add, 'terms.add');
    const terms = change.terms ? mergeTerms(entry.terms ?? {}, change.terms) : entry.terms;
    const { bylines: before, ...others } = kept;
    const bylines = change.bylines ? await personIds(draft, change.bylines, 'bylines') : before;
    const next: EntryBody = {
      ...others,
      fields,
      ...(terms && { terms }),
      ...(bylines && (bylines.length > 0 || bylines === before) && { bylines }),
      ...(change.slug !== undefined && { slug: await movableSlug(draft, node, change.slug) }),
      ...(untrusted && !change.byPerson && { untrusted }),
    };
    return change.body === undefined ? next : withBody(type, next, change.body);
  });
}

/** Gives an entry another body. Blocks keep their ids: those that `change` returns, else those that it still has. */
export function saveBody(
  draft: Draft,
  id: string,
  rev: number,
  change: (entry: EntryBody) => { body: string; blocks?: string[] },
  byPerson: boolean,
): Promise<GraphNode<'entry'>> {
  return draft.save('entry', id, rev, async (entry) => {
    const type = await draft.contentType(entry.type);
    const { untrusted, ...kept } = entry;
    const { body, blocks } = change(entry);
    const next = withBody(type, kept, body);
    return { ...next, ...(blocks && { blocks }), ...(untrusted && !byPerson && { untrusted }) };
  });
}

async function movableSlug(draft: Draft, node: GraphNode<'entry'>, slug: string): Promise<string> {
  const status = await draft.status(node);
  if (slug !== node.body.slug && (status === 'published' || status === 'changed')) {
    throw slugIsKnown();
  }
  if (slug !== node.body.slug) {
    draft.write(
      `SELECT 1 FROM tools.ver WHERE site_id = $1 AND track = 'live' AND node_id = $2 AND to_seq IS NULL AND NOT deleted`,
      [node.id],
      { rows: 0, otherwise: slugIsKnown() },
    );
  }
  return checkSlug(slug);
}

export function slugIsKnown(): CloudhalError {
  return fail('validation_failed', { path: 'slug', expected: 'the slug it has: readers know its address' });
}

/** The entry with another body; blocks that are still there keep their ids. */
function withBody(type: ContentTypeBody, entry: EntryBody, body: string): EntryBody {
  checkBody(type, body);
  return { ...entry, body, blocks: body === '' ? [] : reconcileBlocks(entry.body, entry.blocks, body) };
}

/** A locale of the site; its default when none is asked for. */
export async function siteLocale(view: View, locale: string | undefined): Promise<string> {
  const { locales, defaultLocale } = await view.head();
  if (locale === undefined) return defaultLocale;
  if (!locales.includes(locale)) {
    throw fail('validation_failed', { path: 'locale', expected: `one of the site's locales: ${locales.join(', ')}` });
  }
  return locale;
}

/** Checks an entry's fields against its type. */
export function checkFields(type: ContentTypeBody, fields: Record<string, unknown>, path: string): void {
  conform(interned(type.fields), fields, path);
}

function checkBody(type: ContentTypeBody, body: string): void {
  if (body !== '' && !type.hasBody) {
    throw fail('validation_failed', { path: 'body', expected: `none: entries of type ${type.name} have no body` });
  }
}
