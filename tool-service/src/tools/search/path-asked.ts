import { fail } from '@cloudhal/shared/errors';

/** The path on the site that somebody means: decoded, without host, query and the folder that the gateway serves the site in. */
export function pathAsked(asked: string, slug: string): string {
  const url = URL.canParse(asked, 'https://site.invalid') ? new URL(asked, 'https://site.invalid') : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw fail('validation_failed', { path: 'path', expected: 'a path that begins with a slash, or an http(s) URL' });
  }
  const path = decoded(url.pathname)
    .replace(new RegExp(`^/sites/${slug}(?=/|$)`), '')
    .replace(/\/+$/, '');
  return path === '' ? '/' : path;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw fail('validation_failed', { path: 'path', expected: 'a path that is encoded as URLs are' });
  }
}
