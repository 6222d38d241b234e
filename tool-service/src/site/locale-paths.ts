import type { SiteBody } from '@cloudhal/shared/site/shapes';
import { fallbackChain } from '../content/locales.ts';
import { placeOf } from '../content/site-paths.ts';
import { type Translatable, variantsOf } from '../content/translations.ts';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import type { Alternate } from '../render/index.ts';

/** A public path, taken apart: the site's default locale is at the top, the others under their own first segment. */
export type PublicPlace = { locale: string /** Within the locale. */; path: string };

type Locales = Pick<SiteBody, 'locales' | 'defaultLocale'>;

export function placeAt(locales: Locales, path: string): PublicPlace {
  const { locale = locales.defaultLocale, ...place } = placeOf(path, locales);
  return { ...place, locale };
}

export function publicPath({ defaultLocale }: Locales, { locale, path }: PublicPlace): string {
  if (locale === defaultLocale) return path;
  return `/${locale}${path === '/' ? '' : path}`;
}

/** Where readers find a node; the home page, and what translates it, at the top of its locale. */
export function placeOfNode(site: SiteBody, node: GraphNode): string {
  const isHome = site.homePage !== undefined && [node.id, originalId(node)].includes(site.homePage);
  return publicPath(site, { locale: node.locale ?? site.defaultLocale, path: isHome ? '/' : (node.path ?? '/') });
}

export function originalId({ id, body }: GraphNode): string {
  return ('translation' in body && body.translation?.of) || id;
}

/** Where readers find a node in each locale in which it is live. */
export async function alternatesOf(view: View, site: SiteBody, node: GraphNode, at: At): Promise<Alternate[]> {
  if (site.locales.length < 2 || (node.kind !== 'page' && node.kind !== 'entry')) return [];
  const variants = await variantsOf(view, { id: originalId(node), kind: node.kind }, site.locales, at);
  return site.locales.flatMap((locale) => {
    const variant = variants.get(locale);
    return variant ? [{ locale, path: placeOfNode(site, variant) }] : [];
  });
}

/**
 * Where to send a reader who asks for something that the locale does not have: its live translation under another slug,
 * else the nearest locale of the fallback chain that has it.
 */
export async function fallbackPath(view: View, site: SiteBody, place: PublicPlace): Promise<string | undefined> {
  const at: At = { track: 'live' };
  for (const locale of fallbackChain(place.locale, site.locales, site.defaultLocale)) {
    const node =
      place.path === '/' ? await homeIn(view, site, locale, at) : await view.atPath(place.path, { ...at, locale });
    if (node?.kind !== 'page' && node?.kind !== 'entry') continue;
    const original = { id: originalId(node), kind: node.kind };
    const own = (await variantsOf(view, original, [place.locale], at)).get(place.locale);
    return placeOfNode(site, own ?? node);
  }
  return undefined;
}

/** The home page in a locale. */
export async function homeIn(view: View, site: SiteBody, locale: string, at: At): Promise<Translatable | undefined> {
  if (site.homePage === undefined) return undefined;
  return (await variantsOf(view, { id: site.homePage, kind: 'page' }, [locale], at)).get(locale);
}
