import { fail } from '@cloudhal/shared/errors';

const shape = /^[a-z0-9](?:[a-z0-9-]{0,94}[a-z0-9])?$/;
/** First words of paths that the gateway serves itself, or that visitors would take for the product's own. */
const reserved = new Set([
  'admin',
  'api',
  'assets',
  'auth',
  'docs',
  'health',
  'healthz',
  'llms',
  'login',
  'mcp',
  'metrics',
  'preview',
  'schemas',
  'sites',
  'skills',
  'studio',
  'well-known',
]);

/** A slug as given; anything else than lower-case letters, digits and hyphens is refused, never repaired. */
export function checkSlug(slug: string, path = 'slug'): string {
  if (!shape.test(slug)) {
    throw fail('validation_failed', {
      path,
      expected: 'lower-case letters, digits and hyphens, at most 96 characters',
    });
  }
  // Browsers may show it as other letters than it is written with.
  if (slug.startsWith('xn--'))
    throw fail('validation_failed', { path, expected: 'a slug that does not begin with xn--' });
  return slug;
}

/** A slug at the top of the site, where some words are taken. */
export function checkTopSlug(slug: string, path = 'slug'): string {
  checkSlug(slug, path);
  if (reserved.has(slug)) throw fail('validation_failed', { path, expected: `another word: "${slug}" is reserved` });
  return slug;
}

/** Whether a word is taken as the first of a path, however it is written. */
export function isReserved(word: string): boolean {
  return word.startsWith('.') || reserved.has(word.normalize('NFKC').toLowerCase());
}

/** A slug made from a title. */
export function slugFrom(title: string, path = 'slug'): string {
  const slug = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-+|-+$/g, '');
  if (slug === '') throw fail('validation_failed', { path, expected: 'a slug, since none can be made from the title' });
  return slug;
}
