import { createHash } from 'node:crypto';
import type { Rendered } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { EntryBody, PageBody, SiteBody } from '@cloudhal/shared/site/shapes';
import type { Static } from 'typebox';
import { shownComments } from '../comments/shown-comments.ts';
import { liveRedirect } from '../content/follow-redirects.ts';
import { locationOf } from '../content/redirect-address.ts';
import { toCursor } from '../graph/cursor.ts';
import type { At, GraphNode } from '../graph/node.ts';
import { SqlView } from '../graph/sql-view.ts';
import type { View } from '../graph/view.ts';
import { releasedVersion } from '../releases/plan-release.ts';
import {
  type Alternate,
  contentSecurityPolicy,
  type EntryCard,
  entryCard,
  listedTypes,
  type NavItem,
  type PreviewView,
  renderEntry,
  renderIndex,
  renderNotFound,
  renderPage,
  type SiteFrame,
} from '../render/index.ts';
import { originalOf, referencesOf } from './around-entry.ts';
import { answerComment, commentPage, type Written } from './comment-pages.ts';
import {
  alternatesOf,
  fallbackPath,
  homeIn,
  type PublicPlace,
  placeAt,
  placeOfNode,
  publicPath,
} from './locale-paths.ts';
import { assetsOf, cardAssets } from './page-assets.ts';
import { openPreview } from './previews.ts';
import type { RedirectHits } from './redirect-hits.ts';
import { siteBySlug } from './site-by-slug.ts';
import { frameOf, isLook } from './site-frame.ts';
import { previewTerm, termPage, termsOf } from './term-pages.ts';
import { typeOf } from './type-of.ts';

export type Served = Static<typeof Rendered>;

const perPage = 20;
const contentType = 'text/html; charset=utf-8';

/** Which site, and under which address it is served. */
type Asked = { site: string; basePath: string; origin?: string };

/** What a reader gets at a path of a published site. Nothing but the live track is looked at. */
export async function servePage(
  database: Database,
  { site: ref, path, basePath, origin, form = '' }: Asked & { path: string; form?: string },
  hits?: Pick<RedirectHits, 'count'>,
): Promise<Served> {
  const id = await siteBySlug(database, ref);
  const view = new SqlView(database, id);
  // Nothing of a site is there, and as a location it would lead to another.
  const leadsAway = /\/\/|\\/.test(path);
  if (path.length > 1 && path.endsWith('/') && !leadsAway) {
    return { status: 308, html: '', contentType, location: `${basePath}${path.replace(/\/+$/, '')}` };
  }
  const { body: site } = (await view.node(id, { track: 'live' })) as GraphNode<'site'>;
  const place = placeAt(site, path);
  const frame = await frameOf(view, { track: 'live' }, { basePath, origin, locale: place.locale });
  if (leadsAway) return notFound(frame);
  const html = await livePage(view, frame, place);
  const policy = contentSecurityPolicy(frame);
  if (html === undefined) {
    const own =
      (await commentPage(frame, path, form, (at) => liveNode(view, site, at))) ??
      (await servedRedirect(view, frame, path, hits));
    if (own) return own;
    const elsewhere = await fallbackPath(view, site, place);
    if (elsewhere === undefined) return notFound(frame);
    return { status: 302, html: '', contentType, location: basePath + elsewhere };
  }
  // The policy holds the hash of the theme, which changes what a page is as well.
  const etag = createHash('sha256').update(`${policy}\n${html}`).digest('base64url').slice(0, 27);
  return { status: 200, html, contentType, policy, etag: `"${etag}"` };
}

/** Takes what a reader wrote under a published entry. */
export async function serveComment(
  database: Database,
  { site: ref, basePath, origin, ...written }: Asked & Written,
): Promise<Served> {
  const id = await siteBySlug(database, ref);
  const view = new SqlView(database, id);
  const { body: site } = (await view.node(id, { track: 'live' })) as GraphNode<'site'>;
  const { locale } = placeAt(site, written.path);
  const frame = await frameOf(view, { track: 'live' }, { basePath, origin, locale });
  const find = (at: string) => liveNode(view, frame.site, at);
  return (await answerComment(database, id, frame, written, find)) ?? notFound(frame);
}

function notFound(frame: SiteFrame, status = 404): Served {
  return { status, html: renderNotFound(frame), contentType, policy: contentSecurityPolicy(frame) };
}

/** What a redirect answers, where the site has nothing of its own. */
async function servedRedirect(
  view: View,
  frame: SiteFrame,
  path: string,
  hits: Pick<RedirectHits, 'count'> | undefined,
): Promise<Served | undefined> {
  const way = await liveRedirect(view, path);
  if (!way) return undefined;
  hits?.count(view.siteId, way.id);
  if (way.to === undefined) return notFound(frame, 410);
  return { status: way.status, html: '', contentType, location: locationOf(way.to, frame.basePath) };
}

/** What the holder of a preview link gets: one node, as it would look, with a banner that says so. */
export async function servePreview(
  database: Database,
  { token, basePath }: { token: string; basePath: string },
): Promise<Served> {
  const { site, node: id, track, snapshot, release, expiresAt } = await openPreview(database, token);
  const view = new SqlView(database, site);
  const at: At = { track, ...(snapshot !== undefined && { snapshot }) };
  const node = release === undefined ? await view.node(id, at) : await releasedVersion(view, release, id);
  const shown: PreviewView = {
    state: release !== undefined ? 'release' : snapshot !== undefined ? 'snapshot' : track,
    snapshot: snapshot ?? (await view.head()).snapshot,
    expiresAt: expiresAt.toISOString(),
  };
  const look = isLook(node) ? node : undefined;
  const frame = await frameOf(view, beside(at), { basePath, locale: node.locale }, look);
  const html = look
    ? await livePage(view, frame, { locale: frame.site.defaultLocale, path: '/' }, shown)
    : await nodePage(view, frame, node, at, shown);
  if (html === undefined) throw fail('not_found', { what: 'preview', id: '…' });
  return { status: 200, html, contentType, policy: contentSecurityPolicy(frame) };
}

/** A node as readers would see it in a state, at its address; for the checks. `undefined` for what has no page. */
export async function renderNode(
  view: View,
  node: GraphNode,
  at: At,
): Promise<{ html: string; path: string } | undefined> {
  const frame = await frameOf(view, beside(at), { basePath: '', locale: node.locale });
  const html = await nodePage(view, frame, node, at);
  return html === undefined ? undefined : { html, path: placeOfNode(frame.site, node) };
}

/** What surrounds a node in a preview is what readers know: the link opens no other draft. */
function beside(at: At): At {
  return { ...at, track: 'live' };
}

async function livePage(
  view: View,
  frame: SiteFrame,
  place: PublicPlace,
  shown?: PreviewView,
): Promise<string | undefined> {
  const at: At = { track: 'live' };
  const { locale, path } = place;
  const home = path === '/' ? await homeIn(view, frame.site, locale, at) : undefined;
  const node = home ?? (path === '/' ? undefined : await view.atPath(path, { ...at, locale }));
  if (node?.kind === 'page' || node?.kind === 'entry') return nodePage(view, frame, node, at, shown);
  return (await termPage(view, frame, place)) ?? indexPage(view, frame, place, shown);
}

/** The node that readers find at a public path. */
function liveNode(view: View, site: SiteBody, asked: string): Promise<GraphNode | undefined> {
  const { locale, path } = placeAt(site, asked);
  return view.atPath(path, { track: 'live', locale });
}

async function nodePage(
  view: View,
  around: SiteFrame,
  node: GraphNode,
  at: At,
  shown?: PreviewView,
): Promise<string | undefined> {
  const [assets, alternates, trail] = await Promise.all([
    assetsOf(view, node, at),
    alternatesOf(view, around.site, node, beside(at)),
    trailTo(view, node),
  ]);
  const frame = { ...around, alternates, assets };
  const path = placeOfNode(frame.site, node);
  const place = { ...frame, path, ...(shown && { view: shown }) };
  if (node.kind === 'page') {
    const page = node.body as PageBody;
    const entriesByType = await entriesFor(view, page, beside(at));
    const listed = await cardAssets(view, Object.values(entriesByType).flat(), beside(at));
    return renderPage({ ...place, assets: new Map([...listed, ...assets]), trail, page, entriesByType });
  }
  if (node.kind === 'entry') {
    const entry = node.body as EntryBody;
    const [type, terms, references, original] = await Promise.all([
      typeOf(view, node as GraphNode<'entry'>, at),
      termsOf(view, entry, beside(at)),
      referencesOf(view, frame.site, node, beside(at)),
      originalOf(view, entry, beside(at)),
    ]);
    const { comments } = frame.site;
    return renderEntry({
      ...place,
      trail: type.title === '' ? [] : [{ label: type.title, path: type.pathPrefix }],
      entry,
      contentType: type,
      terms,
      references,
      ...original,
      ...(comments && { comments: { open: comments === 'open', list: await shownComments(view, node.id) } }),
    });
  }
  if (node.kind === 'term' || node.kind === 'taxonomy') return previewTerm(view, frame, node, shown);
  return undefined;
}

/** The cards that a page's sections list, newest first. */
async function entriesFor(view: View, page: PageBody, at: At): Promise<Record<string, EntryCard[]>> {
  const lists = listedTypes(page).map(async ({ type, limit }): Promise<[string, EntryCard[]]> => {
    const { items } = await view.list({
      kind: 'entry',
      type,
      locale: page.locale,
      at,
      sort: 'date',
      descending: true,
      limit,
    });
    const body = items[0] && (await typeOf(view, items[0], at));
    return [type, items.map((entry) => entryCard(entry.body, body!))];
  });
  return Object.fromEntries(await Promise.all(lists));
}

/** The live pages above a page. */
async function trailTo(view: View, { kind, path = '', locale }: GraphNode): Promise<NavItem[]> {
  const names = path.split('/').slice(1, -1);
  if (kind !== 'page' || names.length === 0) return [];
  const above = names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
  return view.rows<NavItem>(
    `SELECT title AS label, path FROM tools.ver WHERE site_id = $1 AND track = 'live' AND kind = 'page' AND locale = $2
       AND path = ANY($3) AND to_seq IS NULL AND NOT deleted ORDER BY path`,
    [locale, above],
  );
}

/** The list of a type's entries in a locale, at the type's own address; also at `/` of a site without a home page. */
async function indexPage(
  view: View,
  around: SiteFrame,
  { locale, path }: PublicPlace,
  shown?: PreviewView,
): Promise<string | undefined> {
  const [, base = '', digits = '1'] = /^(.*?)(?:\/page\/([1-9]\d{0,4}))?$/.exec(path) ?? [];
  const number = Number(digits);
  const { site } = around;
  const { items: types } = await view.list({ kind: 'content_type', at: { track: 'live' }, sort: 'title', limit: 100 });
  const first = types.find(({ body }) => body.name === 'article') ?? types[0];
  const type = path === '/' ? first : types.find((node) => node.body.pathPrefix === base);
  if (!type) return undefined;
  const from = number > 1 ? await placeBefore(view, type.body.name, locale, number) : undefined;
  if (number > 1 && from === undefined) return undefined;
  const entries = await view.list({
    kind: 'entry',
    type: type.body.name,
    locale,
    at: { track: 'live' },
    sort: 'date',
    descending: true,
    limit: perPage,
    ...(from !== undefined && { cursor: from }),
  });
  // A page further on that has none is not there; neither is a list in a language that nothing is in.
  if (entries.items.length === 0 && (number > 1 || locale !== site.defaultLocale)) return undefined;
  const alternates = number > 1 ? [] : await localesOfType(view, site, type.body.name, path);
  const { pathPrefix } = type.body;
  const cards = entries.items.map((entry) => entryCard(entry.body, type.body));
  return renderIndex({
    ...around,
    assets: await cardAssets(view, cards, { track: 'live' }),
    alternates,
    locale,
    ...(shown && { view: shown }),
    contentType: type.body,
    entries: cards,
    path: publicPath(site, { locale, path }),
    page: {
      number,
      ...(number > 1 && { newer: number === 2 ? pathPrefix : `${pathPrefix}/page/${number - 1}` }),
      ...(entries.cursor !== undefined && { older: `${pathPrefix}/page/${number + 1}` }),
    },
  });
}

/** The locales that readers have entries of a type in. */
async function localesOfType(view: View, site: SiteFrame['site'], type: string, path: string): Promise<Alternate[]> {
  if (site.locales.length < 2) return [];
  const rows = await view.rows<{ locale: string }>(
    `SELECT l.locale FROM unnest($3::text[]) WITH ORDINALITY AS l (locale, n) WHERE EXISTS (
       SELECT FROM tools.ver v WHERE v.site_id = $1 AND v.track = 'live' AND v.kind = 'entry' AND v.type = $2
         AND v.locale = l.locale AND v.to_seq IS NULL AND NOT v.deleted) ORDER BY l.n`,
    [type, site.locales],
  );
  return rows.map(({ locale }) => ({ locale, path: publicPath(site, { locale, path }) }));
}

/** The place of the last entry before a page, counted off in the index: readers may ask for any number. */
async function placeBefore(view: View, type: string, locale: string, number: number): Promise<string | undefined> {
  const [last] = await view.rows<{ date: string; id: string }>(
    `SELECT date, node_id AS id FROM tools.ver
     WHERE site_id = $1 AND track = 'live' AND kind = 'entry' AND type = $2 AND locale = $3 AND to_seq IS NULL AND NOT deleted
     ORDER BY date DESC, node_id DESC OFFSET $4 LIMIT 1`,
    [type, locale, (number - 1) * perPage - 1],
  );
  return last && toCursor(last.date, last.id);
}
