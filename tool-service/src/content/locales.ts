import { fail } from '@cloudhal/shared/errors';
import type { Draft } from '../graph/draft.ts';

/** A language tag as addresses have it, such as `en` or `pt-BR`. */
export const localePattern = '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$';
const localeShape = new RegExp(localePattern);

export function isLocale(text: string): boolean {
  return localeShape.test(text);
}

/** Refuses a locale whose address, `/de`, something of the site has, or lies under. */
export async function checkNewLocale(draft: Draft, locale: string): Promise<void> {
  const words = [...new Set([locale, locale.toLowerCase()])];
  const prefixes = words.map((word) => `/${word}`);
  const [node] = await draft.rows<{ id: string }>(
    `SELECT v.node_id AS id FROM tools.ver v
     WHERE v.site_id = $1 AND v.to_seq IS NULL AND NOT v.deleted AND (v.path = ANY($2) OR EXISTS (
       SELECT FROM unnest($2::text[]) AS prefix WHERE v.path > prefix || '/' AND v.path < prefix || '0'
     )) LIMIT 1`,
    [prefixes],
  );
  const { items: types } = await draft.list({ kind: 'content_type', limit: 100 });
  const type = types.find(({ body }) => prefixes.includes(body.pathPrefix));
  const taxonomies = await Promise.all(words.map((word) => draft.find('taxonomy', word)));
  const by = node?.id ?? type?.id ?? taxonomies.find((taxonomy) => taxonomy !== undefined)?.id;
  if (by !== undefined) throw fail('slug_taken', { slug: `/${locale}`, by });
}

/** The locales that stand in for one, nearest first: shorter forms of it that the site has, then the site's default. */
export function fallbackChain(locale: string, locales: readonly string[], defaultLocale: string): string[] {
  const parts = locale.split('-');
  const shorter = parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('-'));
  const chain = [...shorter, defaultLocale].filter((one) => one !== locale && locales.includes(one));
  return [...new Set(chain)];
}

/** What a locale is called, in its own language. */
export function localeName(locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language', fallback: 'code' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}
