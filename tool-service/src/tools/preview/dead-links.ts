import type { Found } from '../../browser/findings.ts';
import type { Inspected } from '../../browser/inspect.ts';
import { missingPaths } from '../../content/missing-paths.ts';
import type { At, Track } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';

/** The links of a page, as it was shown at `path`, that lead to nothing on the site. */
export async function deadLinks(view: View, path: string, links: Inspected['links'], at: At): Promise<Found[]> {
  const here = new URL(path, 'https://site.invalid');
  const own = links.flatMap(({ href, selector }) => {
    if (!URL.canParse(href, here)) return [];
    const url = new URL(href, here);
    // Files of assets are addressed by their content.
    return url.origin === here.origin && !url.pathname.startsWith('/media/')
      ? [{ selector, path: decoded(url.pathname) }]
      : [];
  });
  const { defaultLocale, locales } = await view.head();
  // Other locales live under their own first segment; further pages of a list, and the form for comments, under what they belong to.
  // What surrounds a draft is what is live.
  const others = locales.filter((locale) => locale !== defaultLocale);
  const pathOf = (path: string) => {
    const [, first = '', rest = ''] = /^\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    return (others.includes(first) ? rest || '/' : path).replace(/\/(?:page\/\d+|comments)$/, '');
  };
  const tracks: Track[] = at.track === 'live' ? ['live'] : ['draft', 'live'];
  const missing = await missingPaths(
    view,
    own.map((link) => pathOf(link.path)),
    tracks,
  );
  return own
    .filter((link) => missing.has(pathOf(link.path)) && link.path !== here.pathname)
    .map((link) => ({
      check: 'links',
      severity: 'serious',
      message: 'Nothing is where it leads.',
      selector: link.selector,
      fix: 'Link to a page that is there, or make the page.',
    }));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
