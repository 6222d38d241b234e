import { createHash } from 'node:crypto';
import type { Database } from '@cloudhal/shared/database';
import type { EntryBody, SiteBody } from '@cloudhal/shared/site/shapes';
import { titleOf } from '../changes/title.ts';
import { embargoesOf } from '../embargoes/embargoes.ts';
import type { GraphNode, Listed } from '../graph/node.ts';
import { SqlView } from '../graph/sql-view.ts';
import type { View } from '../graph/view.ts';
import { textField } from '../render/index.ts';
import { type Assets, assetAddress } from '../render/media.ts';
import { type FeedItem, writeFeed } from './feed-xml.ts';
import { placeAt, placeOfNode, publicPath } from './locale-paths.ts';
import { assetsAt } from './page-assets.ts';
import { siteBySlug } from './site-by-slug.ts';
import type { Served } from './site-page.ts';
import { sitemapPage, sitemapPages } from './sitemap.ts';
import { indexXml, robotsText, urlsXml } from './sitemap-xml.ts';

/** Entries in a feed. */
const mostItems = 30;

/** How a feed, a site map or robots.txt is served. */
type File = { text: string; contentType: string };

/** A file for programs at a path of a published site; the same rules as for pages: nothing but the live track is looked at. */
export async function serveFeed(
  database: Database,
  { site: ref, path, basePath, origin }: { site: string; path: string; basePath: string; origin: string },
): Promise<Served> {
  const view = new SqlView(database, await siteBySlug(database, ref));
  const { body: site } = (await view.node(view.siteId, { track: 'live' })) as GraphNode<'site'>;
  const root = origin + basePath;
  const file = site.seo?.noindex && path !== '/robots.txt' ? undefined : await fileAt(view, site, path, root);
  if (!file) return { status: 404, html: 'Not found.\n', contentType: 'text/plain; charset=utf-8' };
  const etag = createHash('sha256').update(file.text).digest('base64url').slice(0, 27);
  return { status: 200, html: file.text, contentType: file.contentType, etag: `"${etag}"` };
}

async function fileAt(view: View, site: SiteBody, path: string, root: string): Promise<File | undefined> {
  if (path === '/robots.txt') {
    return { text: robotsText(site, root), contentType: 'text/plain; charset=utf-8' };
  }
  const [, number] = /^\/sitemap(?:-([1-9]\d{0,3}))?\.xml$/.exec(path) ?? [];
  if (path === '/sitemap.xml' || number !== undefined) {
    const text = await siteMap(view, site, root, number === undefined ? undefined : Number(number));
    return text === undefined ? undefined : { text, contentType: 'application/xml; charset=utf-8' };
  }
  const { locale, path: name } = placeAt(site, path);
  if (name !== '/feed.xml' && name !== '/atom.xml') return undefined;
  const format = name === '/atom.xml' ? 'atom' : 'rss';
  const items = await newest(view, site, locale, root);
  const channel = {
    title: site.title,
    ...(site.tagline !== undefined && { description: site.tagline }),
    locale,
    home: root + publicPath(site, { locale, path: '/' }),
    self: (feed: string) => root + publicPath(site, { locale, path: feed }),
  };
  return { text: writeFeed(format, channel, items), contentType: `application/${format}+xml; charset=utf-8` };
}

/** One map while the site fits in it, else a list of maps. */
async function siteMap(view: View, site: SiteBody, root: string, number?: number): Promise<string | undefined> {
  const pages = await sitemapPages(view);
  if (number === undefined && pages > 1) return indexXml(root, pages);
  if (number !== undefined && number > pages) return undefined;
  return urlsXml(root, await sitemapPage(view, site, number ?? 1));
}

/** The newest live entries of a locale, of every type that has texts to read. */
async function newest(view: View, site: SiteBody, locale: string, root: string): Promise<FeedItem[]> {
  const { items: types } = await view.list({ kind: 'content_type', at: { track: 'live' }, sort: 'title', limit: 100 });
  const lists = await Promise.all(
    types
      .filter(({ body }) => body.hasBody)
      .map(({ body }) =>
        view.list({
          kind: 'entry',
          type: body.name,
          locale,
          at: { track: 'live' },
          sort: 'date',
          descending: true,
          limit: mostItems,
        }),
      ),
  );
  const entries = lists.flatMap(({ items }) => items);
  const held = await embargoesOf(view, entries);
  const images = entries.flatMap(({ body }) => textField(body.fields, 'leadImage') ?? []);
  const assets = await assetsAt(view, [...new Set(images)], { track: 'live' });
  return entries
    .filter(({ id }) => !held.has(id))
    .map((entry) => feedItem(site, entry, root, assets))
    .sort((a, b) => b.date.getTime() - a.date.getTime())
    .slice(0, mostItems);
}

function feedItem(site: SiteBody, entry: Listed<'entry'>, root: string, assets: Assets): FeedItem {
  const { fields } = entry.body as EntryBody;
  const said = new Date(`${textField(fields, 'publishedOn')}T00:00:00Z`);
  const summary = textField(fields, 'summary');
  const id = textField(fields, 'leadImage') ?? '';
  const image = assets.get(id);
  return {
    id: `${root}#${entry.id}`,
    title: titleOf(entry),
    link: root + placeOfNode(site, entry),
    date: Number.isNaN(said.getTime()) ? new Date(entry.updatedAt) : said,
    ...(summary !== undefined && { summary }),
    ...(image && {
      enclosure: { url: assetAddress({ basePath: root }, id, image), type: image.type, length: image.bytes },
    }),
  };
}
