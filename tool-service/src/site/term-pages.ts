import type { EntryBody } from '@cloudhal/shared/site/shapes';
import { termWords } from '../content/taxonomies.ts';
import { termPath } from '../graph/kinds.ts';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { entryCard, type NavItem, type PreviewView, renderTerm, type SiteFrame } from '../render/index.ts';
import { type PublicPlace, publicPath } from './locale-paths.ts';
import { cardAssets } from './page-assets.ts';
import { typeOf } from './type-of.ts';

const perPage = 20;
const live: At = { track: 'live' };

/** The terms of an entry that readers know, in its locale's words, with their pages. */
export async function termsOf(view: View, { terms = {}, locale }: EntryBody, at: At): Promise<NavItem[]> {
  const paths = Object.entries(terms).flatMap(([taxonomy, slugs]) => slugs.map((slug) => termPath(taxonomy, slug)));
  const found = await Promise.all(paths.map((path) => view.find('term', path, at)));
  return found.flatMap((term) => (term ? [navItem(term, locale)] : []));
}

/** The page of a taxonomy or a term at a place, in any locale: there is one of each, with words in several. */
export async function termPage(view: View, frame: SiteFrame, place: PublicPlace): Promise<string | undefined> {
  const [, base = '', digits = '1'] = /^(.*?)(?:\/page\/([1-9]\d{0,3}))?$/.exec(place.path) ?? [];
  const node = (await view.find('term', base || '/', live)) ?? (await view.find('taxonomy', base || '/', live));
  return node && renderNode(view, frame, node, { ...place, number: Number(digits) });
}

/** A taxonomy or term that a preview shows, among what readers know. */
export function previewTerm(view: View, frame: SiteFrame, node: GraphNode, shown: PreviewView | undefined) {
  const locale = frame.locale ?? frame.site.defaultLocale;
  return renderNode(view, frame, node as GraphNode<'term'>, { locale, path: node.path!, number: 1 }, shown);
}

async function renderNode(
  view: View,
  frame: SiteFrame,
  node: GraphNode<'term'> | GraphNode<'taxonomy'>,
  { locale, path, number }: PublicPlace & { number: number },
  shown?: PreviewView,
): Promise<string | undefined> {
  const isTerm = node.kind === 'term';
  const [terms, { entries, more }, trail] = await Promise.all([
    termsBelow(view, node, locale),
    isTerm ? entriesOf(view, node.path!, locale, number) : { entries: [], more: false },
    isTerm ? trailTo(view, node as GraphNode<'term'>, locale) : [],
  ]);
  const isEmpty = entries.length === 0 && (isTerm || terms.length === 0);
  // A page further on that has none is not there; neither is a list in a language that nothing is in.
  if (isEmpty && (number > 1 || locale !== frame.site.defaultLocale)) return undefined;
  const { title, description } = wordsOf(node, locale);
  return renderTerm({
    ...frame,
    assets: await cardAssets(view, entries, live),
    locale,
    path: publicPath(frame.site, { locale, path }),
    title,
    description,
    trail,
    terms,
    entries,
    page: {
      number,
      ...(number > 1 && { newer: number === 2 ? node.path! : `${node.path}/page/${number - 1}` }),
      ...(more && { older: `${node.path}/page/${number + 1}` }),
    },
    ...(shown && { view: shown }),
  });
}

function wordsOf(node: GraphNode<'term'> | GraphNode<'taxonomy'>, locale: string) {
  if (node.kind === 'taxonomy') return (node as GraphNode<'taxonomy'>).body;
  const { label, description } = termWords(node as GraphNode<'term'>, locale);
  return { title: label, description };
}

async function termsBelow(
  view: View,
  node: GraphNode<'term'> | GraphNode<'taxonomy'>,
  locale: string,
): Promise<NavItem[]> {
  const taxonomy =
    node.kind === 'term' ? (node as GraphNode<'term'>).body.taxonomy : (node as GraphNode<'taxonomy'>).body.name;
  const parent = node.kind === 'term' ? node.id : null;
  const { items } = await view.list({ kind: 'term', type: taxonomy, parent, at: live, sort: 'title', limit: 100 });
  return items.map((term) => navItem(term, locale));
}

/** From its taxonomy down to the term above it, as far as readers know them. */
async function trailTo(view: View, term: GraphNode<'term'>, locale: string): Promise<NavItem[]> {
  const taxonomy = await view.find('taxonomy', term.body.taxonomy, live);
  const [parent] = (
    term.body.parent === undefined ? [] : await view.nodes([term.body.parent], live)
  ) as GraphNode<'term'>[];
  return [
    ...(taxonomy ? [{ label: taxonomy.body.title, path: taxonomy.path! }] : []),
    ...(parent ? [navItem(parent, locale)] : []),
  ];
}

/** One page of the live entries that carry a term. */
async function entriesOf(view: View, path: string, locale: string, number: number) {
  const rows = await view.rows<{ id: string }>(
    `SELECT v.node_id AS id FROM tools.edge e
     JOIN tools.ver v ON v.site_id = e.site_id AND v.track = 'live' AND v.node_id = e.source AND v.to_seq IS NULL AND NOT v.deleted
     WHERE e.site_id = $1 AND e.track = 'live' AND e.role = 'term' AND e.target = $2 AND v.locale = $3
     ORDER BY v.date DESC, v.node_id DESC LIMIT $4 OFFSET $5`,
    [path, locale, perPage + 1, (number - 1) * perPage],
  );
  const nodes = (await view.nodes(
    rows.slice(0, perPage).map(({ id }) => id),
    live,
  )) as GraphNode<'entry'>[];
  const entries = await Promise.all(nodes.map(async (node) => entryCard(node.body, await typeOf(view, node, live))));
  return { entries, more: rows.length > perPage };
}

function navItem(term: GraphNode<'term'>, locale: string): NavItem {
  return { label: termWords(term, locale).label, path: term.path! };
}
