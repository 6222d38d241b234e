import { createHash } from 'node:crypto';
import type { Rendered } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { PersonBody } from '@cloudhal/shared/site/person';
import type { ContentTypeBody, EntryBody, PageBody, SiteBody } from '@cloudhal/shared/site/shapes';
import type { Static } from 'typebox';
import { titleOf } from '../changes/title.ts';
import { shownComments } from '../comments/shown-comments.ts';
import { liveRedirect } from '../content/follow-redirects.ts';
import { locationOf } from '../content/redirect-address.ts';
import { placeOf } from '../content/site-paths.ts';
import { toCursor } from '../graph/cursor.ts';
import { namedNodes } from '../graph/named-nodes.ts';
import type { At, GraphNode } from '../graph/node.ts';
import { SqlView } from '../graph/sql-view.ts';
import type { View } from '../graph/view.ts';
import {
  type EntryCard,
  entryCard,
  listedTypes,
  type NavItem,
  type PreviewView,
  contentSecurityPolicy as policy,
  type Reference,
  type References,
  renderEntry,
  renderIndex,
  renderNotFound,
  renderPage,
} from '../render/index.ts';
import { answerComment, commentPage, type Written } from './comment-pages.ts';
import { openPreview } from './previews.ts';
import type { RedirectHits } from './redirect-hits.ts';

export type Served = Static<typeof Rendered>;
type Frame = { site: SiteBody; basePath: string; nav: NavItem[] };

const perPage = 20;
const contentType = 'text/html; charset=utf-8';

/** What a reader gets at a path of a published site. Nothing but the live track is looked at. */
export async function servePage(
  database: Database,
  { site: ref, path, basePath, form = '' }: { site: string; path: string; basePath: string; form?: string },
  hits?: Pick<RedirectHits, 'count'>,
): Promise<Served> {
  const id = await siteBySlug(database, ref);
  if (path.length > 1 && path.endsWith('/')) {
    return { status: 308, html: '', contentType, location: `${basePath}${path.replace(/\/+$/, '')}` };
  }
  const view = new SqlView(database, id);
  const frame = await frameOf(view, { track: 'live' }, basePath);
  const html = (await livePage(view, frame, path)) ?? undefined;
  if (html === undefined) {
    const find = (at: string) => liveNode(view, frame.site, at);
    return (
      (await commentPage(frame, path, form, find)) ?? (await servedRedirect(view, frame, path, hits)) ?? notFound(frame)
    );
  }
  // The policy holds the hash of the theme, which changes what a page is as well.
  const etag = createHash('sha256').update(`${policy}\n${html}`).digest('base64url').slice(0, 27);
  return { status: 200, html, contentType, policy, etag: `"${etag}"` };
}

/** Takes what a reader wrote under a published entry. */
export async function serveComment(
  database: Database,
  { site, basePath, ...written }: { site: string; basePath: string } & Written,
): Promise<Served> {
  const id = await siteBySlug(database, site);
  const view = new SqlView(database, id);
  const frame = await frameOf(view, { track: 'live' }, basePath);
  const find = (at: string) => liveNode(view, frame.site, at);
  return (await answerComment(database, id, frame, written, find)) ?? notFound(frame);
}

function notFound(frame: Frame, status = 404): Served {
  return { status, html: renderNotFound(frame), contentType, policy };
}

/** What a redirect answers, where the site has nothing of its own. */
async function servedRedirect(
  view: View,
  frame: Frame,
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
  const { site, node: id, track, snapshot, expiresAt } = await openPreview(database, token);
  const view = new SqlView(database, site);
  const at: At = { track, ...(snapshot !== undefined && { snapshot }) };
  const node = await view.node(id, at);
  const shown: PreviewView = {
    state: snapshot !== undefined ? 'snapshot' : track,
    snapshot: snapshot ?? (await view.head()).snapshot,
    expiresAt: expiresAt.toISOString(),
  };
  const frame = await frameOf(view, beside(at), basePath);
  const html = await nodePage(view, frame, node, at, node.path ?? '/', shown);
  if (html === undefined) throw fail('not_found', { what: 'preview', id: '…' });
  return { status: 200, html, contentType, policy };
}

/** A node as readers would see it in a state, at its address; for the checks. `undefined` for what has no page. */
export async function renderNode(
  view: View,
  node: GraphNode,
  at: At,
): Promise<{ html: string; path: string } | undefined> {
  const frame = await frameOf(view, beside(at), '');
  const path = node.id === frame.site.homePage ? '/' : (node.path ?? '/');
  const html = await nodePage(view, frame, node, at, path);
  return html === undefined ? undefined : { html, path };
}

/** What surrounds a node in a preview is what readers know: the link opens no other draft. */
function beside(at: At): At {
  return { ...at, track: 'live' };
}

/** The id of a site that is named by its slug or id; else `not_found`. */
async function siteBySlug(database: Database, ref: string): Promise<string> {
  const [site] = await database.query<{ id: string }>('SELECT id FROM tools.site WHERE slug = $1 OR id = $1', [ref], {
    name: 'site_by_slug',
  });
  if (!site) throw fail('not_found', { what: 'site', id: ref.slice(0, 96) });
  return site.id;
}

/** The parts that surround every page; the navigation is the pages at the top. */
async function frameOf(view: View, at: At, basePath: string): Promise<Frame> {
  const [site, pages] = await Promise.all([
    view.node(view.siteId, at) as Promise<GraphNode<'site'>>,
    view.list({ kind: 'page', parent: null, at, sort: 'path', limit: 12 }),
  ]);
  const top = pages.items.filter((page) => page.id !== site.body.homePage && page.locale === site.body.defaultLocale);
  return { site: site.body, basePath, nav: top.map(({ body }) => ({ label: body.title, path: body.path })) };
}

async function livePage(view: View, frame: Frame, path: string): Promise<string | undefined> {
  const at: At = { track: 'live' };
  const { site } = frame;
  if (path === '/') {
    const home = site.homePage === undefined ? undefined : (await view.nodes([site.homePage], at))[0];
    if (home) return nodePage(view, frame, home, at, '/');
  }
  const node = await liveNode(view, site, path);
  if (node) return nodePage(view, frame, node, at, path);
  return indexPage(view, frame, path);
}

/** The node that readers find at a path. Other locales live under their own first segment. */
function liveNode(view: View, site: SiteBody, path: string): Promise<GraphNode | undefined> {
  const place = placeOf(path, site);
  return view.atPath(place.path, { track: 'live', ...(place.locale !== undefined && { locale: place.locale }) });
}

async function nodePage(
  view: View,
  frame: Frame,
  node: GraphNode,
  at: At,
  path: string,
  shown?: PreviewView,
): Promise<string | undefined> {
  const place = { ...frame, path, ...(shown && { view: shown }) };
  if (node.kind === 'page') {
    const page = node.body as PageBody;
    return renderPage({ ...place, page, entriesByType: await entriesFor(view, page, beside(at)) });
  }
  if (node.kind === 'entry') {
    const entry = node.body as EntryBody;
    const [type, references] = await Promise.all([typeAt(view, entry.type, at), referencesOf(view, node, beside(at))]);
    const { comments } = frame.site;
    return renderEntry({
      ...place,
      entry,
      contentType: type,
      references,
      ...(comments && { comments: { open: comments === 'open', list: await shownComments(view, node.id) } }),
    });
  }
  return undefined;
}

/** What readers know of the people and nodes that an entry names. */
async function referencesOf(view: View, node: GraphNode, at: At): Promise<References> {
  const nodes = await view.nodes(namedNodes(node), at);
  return new Map(nodes.map((node): [string, Reference] => [node.id, referenceTo(node)]));
}

function referenceTo(node: GraphNode): Reference {
  const url = node.kind === 'person' ? (node.body as PersonBody).url : undefined;
  return {
    title: titleOf(node),
    ...(node.path !== undefined && { path: node.path }),
    ...(url !== undefined && { url }),
  };
}

/** The cards that a page's sections list, newest first. */
async function entriesFor(view: View, page: PageBody, at: At): Promise<Record<string, EntryCard[]>> {
  const lists = listedTypes(page).map(async ({ type, limit }): Promise<[string, EntryCard[]]> => {
    const body = await typeAt(view, type, at);
    const { items } = await view.list({
      kind: 'entry',
      type,
      locale: page.locale,
      at,
      sort: 'date',
      descending: true,
      limit,
    });
    return [type, items.map((entry) => entryCard(entry.body, body))];
  });
  return Object.fromEntries(await Promise.all(lists));
}

async function typeAt(view: View, name: string, at: At): Promise<ContentTypeBody> {
  return (await view.find('content_type', name, at))?.body ?? view.contentType(name);
}

/** The list of a type's entries, at the type's own address; also at `/` of a site without a home page. */
async function indexPage(view: View, frame: Frame, path: string): Promise<string | undefined> {
  const [, base = '', digits = '1'] = /^(.*?)(?:\/page\/([1-9]\d{0,4}))?$/.exec(path) ?? [];
  const number = Number(digits);
  const { items: types } = await view.list({ kind: 'content_type', at: { track: 'live' }, sort: 'title', limit: 100 });
  const first = types.find(({ body }) => body.name === 'article') ?? types[0];
  const type = path === '/' ? first : types.find((node) => node.body.pathPrefix === base);
  if (!type) return undefined;
  const from = number > 1 ? await placeBefore(view, type.body.name, number) : undefined;
  if (number > 1 && from === undefined) return undefined;
  const entries = await view.list({
    kind: 'entry',
    type: type.body.name,
    at: { track: 'live' },
    sort: 'date',
    descending: true,
    limit: perPage,
    ...(from !== undefined && { cursor: from }),
  });
  if (number > 1 && entries.items.length === 0) return undefined;
  const { pathPrefix } = type.body;
  return renderIndex({
    ...frame,
    contentType: type.body,
    entries: entries.items.map((entry) => entryCard(entry.body, type.body)),
    path,
    page: {
      number,
      ...(number > 1 && { newer: number === 2 ? pathPrefix : `${pathPrefix}/page/${number - 1}` }),
      ...(entries.cursor !== undefined && { older: `${pathPrefix}/page/${number + 1}` }),
    },
  });
}

/** The place of the last entry before a page, counted off in the index: readers may ask for any number. */
async function placeBefore(view: View, type: string, number: number): Promise<string | undefined> {
  const [last] = await view.rows<{ date: string; id: string }>(
    `SELECT date, node_id AS id FROM tools.ver
     WHERE site_id = $1 AND track = 'live' AND kind = 'entry' AND type = $2 AND to_seq IS NULL AND NOT deleted
     ORDER BY date DESC, node_id DESC OFFSET $3 LIMIT 1`,
    [type, (number - 1) * perPage - 1],
  );
  return last && toCursor(last.date, last.id);
}
