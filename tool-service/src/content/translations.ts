import { createHash } from 'node:crypto';
import { fail } from '@cloudhal/shared/errors';
import type { EntryBody, PageBody } from '@cloudhal/shared/site/shapes';
import { prefixOf } from '../graph/kinds.ts';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { siteLocale } from './entries.ts';
import { getNode } from './find-node.ts';
import { entryTexts, pageTexts, type Text } from './translation-texts.ts';

export type TranslatableKind = 'page' | 'entry';
export const translatableKinds = ['page', 'entry'] as const;
export type Translatable = GraphNode<TranslatableKind>;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The id that the translation of a node into a locale has, whoever makes it: so a node has one translation in each locale,
 * and one that comes back out of the trash is the same node.
 */
export function translationId(original: { id: string; kind: TranslatableKind }, locale: string): string {
  const bytes = createHash('sha256').update(`${original.id}\n${locale}`).digest();
  const text = Array.from(bytes.subarray(0, 26), (byte) => alphabet[byte & 31]).join('');
  return `${prefixOf(original.kind)}_${text}`;
}

/** A node that can be translated, by id or path, and the original that it is a translation of; itself where it is none. */
export async function getOriginal(view: View, ref: string, at?: At): Promise<Translatable> {
  const node = await translatable(view, ref, at);
  const of = node.body.translation?.of;
  return of === undefined ? node : translatable(view, of, at);
}

async function translatable(view: View, ref: string, at?: At): Promise<Translatable> {
  const node = await getNode(view, ref, at);
  if (node.kind === 'page' || node.kind === 'entry') return node as Translatable;
  throw fail('validation_failed', { path: 'node', expected: 'a page or an entry' });
}

/** A locale that the node can be translated into. */
export async function targetLocale(view: View, original: Translatable, locale: string): Promise<string> {
  await siteLocale(view, locale);
  if (locale !== original.body.locale) return locale;
  throw fail('validation_failed', { path: 'locale', expected: `another locale than the original's, ${locale}` });
}

/** The translation of an original into a locale. */
export async function findTranslation<K extends TranslatableKind>(
  view: View,
  original: { id: string; kind: K },
  locale: string,
  at?: At,
): Promise<GraphNode<K> | undefined> {
  const [node] = await view.nodes([translationId(original, locale)], at);
  return node as GraphNode<K> | undefined;
}

/** The original and its translations that are there, by locale. */
export async function variantsOf(
  view: View,
  original: { id: string; kind: TranslatableKind },
  locales: readonly string[],
  at?: At,
): Promise<Map<string, Translatable>> {
  const ids = [original.id, ...locales.map((locale) => translationId(original, locale))];
  const nodes = (await view.nodes(ids, at)) as Translatable[];
  return new Map(nodes.map((node) => [node.body.locale, node]));
}

/**
 * An entry or page as one locale has it: the one that `ref` names there, else the translation of what it names elsewhere.
 * Without a locale, what `ref` names.
 */
export async function getInLocale<K extends TranslatableKind>(
  view: View,
  kind: K,
  ref: string,
  locale: string | undefined,
  at: At = {},
): Promise<GraphNode<K>> {
  const { locale: _, ...state } = at;
  if (locale === undefined) return view.get(kind, ref, state);
  await siteLocale(view, locale);
  const named = await view.find(kind, ref, { ...state, locale });
  if (named) return named;
  const elsewhere: GraphNode<K> = await view.get(kind, ref, state);
  const of = (elsewhere.body as EntryBody | PageBody).translation?.of ?? elsewhere.id;
  const ids = [of, translationId({ id: of, kind }, locale)];
  const found = (await view.nodes(ids, state)).find((node) => node.locale === locale);
  if (!found) throw fail('not_found', { what: `${locale} translation of`, id: elsewhere.id });
  return found as GraphNode<K>;
}

/** The texts of a node that are translated. */
export async function textsOf(view: View, { kind, body }: Pick<Translatable, 'kind' | 'body'>): Promise<Text[]> {
  if (kind === 'page') return pageTexts(body as PageBody);
  const entry = body as EntryBody;
  return entryTexts(entry, await view.contentType(entry.type));
}

/** The original as its draft was at a rev; `validation_failed` where it never was. */
export async function originalAt<K extends TranslatableKind>(
  view: View,
  original: GraphNode<K>,
  rev: number,
): Promise<GraphNode<K>['body']> {
  if (rev === original.rev) return original.body;
  const [row] = await view.rows<{ doc: GraphNode<K>['body'] }>(
    `SELECT b.doc FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.node_id = $2 AND v.rev = $3::float8 AND NOT v.deleted`,
    [original.id, rev],
  );
  if (row) return row.doc;
  const expected = `a rev of the original ${original.id}, which is at rev ${original.rev}`;
  throw fail('validation_failed', { path: 'sourceRev', expected });
}
