import type { ChromeBody } from '@cloudhal/shared/site/chrome';
import type { DesignBody } from '@cloudhal/shared/site/design';
import { slotsIn } from '../chrome/slots.ts';
import { menuAt } from '../content/menus.ts';
import { siteNodeId } from '../design/site-node.ts';
import { designOf } from '../design/tokens.ts';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import type { MenuLink, SiteFrame } from '../render/index.ts';
import { originalId } from './locale-paths.ts';

/** What surrounds every page of a site in a locale, and how it looks. */
export async function frameOf(
  view: View,
  at: At,
  { basePath, origin, locale: asked }: Pick<SiteFrame, 'basePath' | 'origin' | 'locale'>,
  look?: GraphNode,
): Promise<SiteFrame> {
  const ids = [view.siteId, siteNodeId('design', view.siteId), siteNodeId('chrome', view.siteId)];
  const nodes = new Map((await view.nodes(ids, at)).map((node) => [node.kind, node]));
  if (look) nodes.set(look.kind, look);
  const { body: site } = (nodes.get('site') ?? (await view.node(view.siteId, at))) as GraphNode<'site'>;
  const locale = asked ?? site.defaultLocale;
  const chrome = slotsIn(locale, nodes.get('chrome')?.body as ChromeBody | undefined);
  const [header, footer] = await Promise.all(
    ['header.menu', 'footer.menu'].map((slot) => menuAt(view, String(chrome[slot]), locale, at)),
  );
  return {
    site,
    basePath,
    locale,
    design: designOf(nodes.get('design')?.body as DesignBody | undefined),
    chrome,
    nav: header ?? (await topPages(view, at, site.homePage, locale)),
    footerNav: footer ?? [],
    feeds: true,
    ...(origin !== undefined && { origin }),
  };
}

/** What a site without a menu shows: the pages at its top. */
async function topPages(view: View, at: At, homePage: string | undefined, locale: string): Promise<MenuLink[]> {
  const { items } = await view.list({ kind: 'page', parent: null, locale, at, sort: 'path', limit: 12 });
  const top = items.filter((page) => originalId(page) !== homePage);
  return top.map(({ body }) => ({ label: body.title, path: body.path }));
}

/** A design, or what surrounds a page: it is looked at around the home page. */
export function isLook({ kind }: GraphNode): boolean {
  return kind === 'design' || kind === 'chrome';
}
