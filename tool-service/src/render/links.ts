/** Where on the site a text stands, and under which address the site is served. */
export type Place = {
  /** `` or `/sites/<slug>`: put before every path of the site. */
  basePath: string;
  /** The path of the page itself, such as `/articles/one`; relative links start from it. */
  path: string;
  /** In a preview links to the site lead nowhere: a preview shows one node and is no way to others. */
  preview: boolean;
  /** `/de` on a page in a locale that is not the site's default: the site's own paths lead there. */
  prefix?: string;
};

export type Link = { kind: 'internal' | 'fragment' | 'external' | 'contact'; href: string };

const here = 'https://here.invalid';

/** What a link means to a browser, or `undefined` where it may not be one. The URL standard's own parser decides, not a pattern. */
export function resolveLink(
  href: string,
  { basePath, path, prefix = '' }: Pick<Place, 'basePath' | 'path' | 'prefix'>,
): Link | undefined {
  const trimmed = href.trim();
  if (trimmed.startsWith('#')) return { kind: 'fragment', href: trimmed };
  const url = parse(trimmed, path);
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'mailto:' || url.protocol === 'tel:') return { kind: 'contact', href: url.href };
  if (url.origin === here) return { kind: 'internal', href: basePath + inLocale(sitePath(url), prefix) };
  // Without a scheme (`//host`, `/\host`) it was meant, or made to look, like a path of the site.
  if (!/^https?:/i.test(trimmed)) return undefined;
  return { kind: 'external', href: url.href };
}

/** The path of the site with one leading slash: two would name another host. */
function sitePath({ pathname, search, hash }: URL): string {
  return `/${pathname.replace(/^\/+/, '')}${search}${hash}`;
}

/** Files are the same in every locale. */
function inLocale(path: string, prefix: string): string {
  const [name = ''] = path.split(/[?#]/);
  if (prefix === '' || name === prefix || name.startsWith(`${prefix}/`) || /\.[a-z0-9]+$/i.test(name)) return path;
  return prefix + (path === '/' ? '' : path.replace(/^\/(?=[?#])/, ''));
}

function parse(href: string, path: string): URL | undefined {
  try {
    const url = new URL(href, new URL(path, here));
    return ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}
