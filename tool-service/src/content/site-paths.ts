import type { GraphNode, Track } from '../graph/node.ts';
import type { SiteHead, View } from '../graph/view.ts';

type Locales = Pick<SiteHead, 'locales' | 'defaultLocale'>;
export type Place = { path: string; locale?: string };

/** What an address of the site means: other locales than the default live under their own first segment. */
export function placeOf(address: string, { locales, defaultLocale }: Locales): Place {
  const [, first = '', rest = '/'] = /^\/([^/]+)(\/.*)?$/.exec(address) ?? [];
  const isLocale = first !== defaultLocale && locales.includes(first);
  return isLocale ? { path: rest, locale: first } : { path: address };
}

/** The address under which readers find a node that has a path. */
export function addressOf({ path, locale }: Pick<GraphNode, 'path' | 'locale'>, { defaultLocale }: Locales) {
  if (path === undefined || locale === undefined || locale === defaultLocale) return path;
  return `/${locale}${path}`;
}

/** Those of the addresses at which the site has something of its own: a page, an entry, a term, or a list of them. */
export async function ownAddresses(view: View, addresses: readonly string[], track: Track): Promise<Set<string>> {
  const head = await view.head();
  const places = addresses.map((address) => ({ address, ...placeOf(address, head) }));
  const rows = await view.rows<{ path: string; locale: string | null }>(
    `SELECT v.path, v.locale FROM tools.ver v
     WHERE v.site_id = $1 AND v.track = $2 AND v.to_seq IS NULL AND NOT v.deleted AND v.path = ANY($3) AND v.kind <> 'redirect'
     UNION SELECT b.doc->>'pathPrefix', NULL FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     WHERE v.site_id = $1 AND v.track = $2 AND v.to_seq IS NULL AND NOT v.deleted AND v.kind = 'content_type'`,
    [track, places.map(({ path }) => path)],
  );
  const found = new Set(rows.map(({ path, locale }) => `${locale ?? ''} ${path}`));
  const isThere = ({ path, locale = head.defaultLocale }: Place) =>
    path === '/' || found.has(`${locale} ${path}`) || found.has(` ${path}`);
  return new Set(places.filter(isThere).map(({ address }) => address));
}
