import { fail } from '@cloudhal/shared/errors';
import type { Draft } from '../graph/draft.ts';
import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { below, checkDepth, getPage, getParent, pagePath, pageSlug } from './pages.ts';
import { leadOn } from './redirects.ts';
import { addressOf } from './site-paths.ts';

export type Move = { parent?: string; slug?: string };
type PageNode = GraphNode<'page'>;

/** Pages below the one that moves; each is changed with it. */
const maxBelow = 500;

/** Gives a page another parent or slug; the pages below it move along, and addresses that readers know lead on. */
export async function movePage(draft: Draft, ref: string, rev: number, move: Move): Promise<PageNode> {
  const page = await getPage(draft, ref);
  const parent = await newParent(draft, page, move.parent);
  const slug = await pageSlug(draft, move.slug ?? page.body.slug, parent);
  const path = pagePath(parent, slug);
  const children = await pagesBelow(draft, page);
  const moved = await draft.save('page', page.id, rev, ({ parent: _, ...body }) => ({
    ...body,
    slug,
    ...(parent && { parent: parent.id }),
    path,
  }));
  if (path === page.body.path) return moved;
  for (const child of children) {
    const at = checkDepth(path + child.body.path.slice(page.body.path.length));
    await draft.save('page', child.id, child.rev, (body) => ({ ...body, path: at }));
  }
  await leadReadersOn(draft, [moved, ...children]);
  return moved;
}

/** Redirects from the addresses at which readers know nodes to those that the draft gives them, as part of the change. */
export async function leadReadersOn(draft: Draft, nodes: readonly GraphNode[]): Promise<void> {
  const head = await draft.head();
  const ids = nodes.map(({ id }) => id);
  const known = await draft.rows<{ id: string; path: string; locale: string }>(
    `SELECT DISTINCT ON (node_id) node_id AS id, path, locale FROM tools.ver
     WHERE site_id = $1 AND track = 'live' AND node_id = ANY($2) ORDER BY node_id, from_seq DESC`,
    [ids],
  );
  const now = new Map((await draft.nodes(ids)).map((node) => [node.id, addressOf(node, head)]));
  const moves = known.map(({ id, ...place }) => ({ from: addressOf(place, head)!, to: now.get(id)! }));
  await leadOn(draft, moves);
}

/** What it takes to change addresses that readers know. */
export async function weighMoves(draft: Draft): Promise<{ effect?: 'person'; reasons?: string[] }> {
  const moved = draft.changes.filter(({ before, after }) => before && after && before.path !== after.path);
  const known = await everLive(
    draft,
    moved.map(({ id }) => id),
  );
  return known ? { effect: 'person', reasons: ['readers know an address that changes'] } : {};
}

/** Whether readers ever had one of the nodes at some address. */
export async function everLive(view: View, ids: readonly string[]): Promise<boolean> {
  const rows = await view.rows(
    `SELECT 1 FROM tools.ver WHERE site_id = $1 AND track = 'live' AND node_id = ANY($2) LIMIT 1`,
    [ids],
  );
  return rows.length > 0;
}

async function newParent(draft: Draft, page: PageNode, ref: string | undefined): Promise<PageNode | undefined> {
  const parent = await getParent(draft, ref ?? page.body.parent);
  if (!parent) return undefined;
  if (parent.id === page.id || parent.body.path.startsWith(`${page.body.path}/`)) {
    throw fail('validation_failed', { path: 'parent', expected: 'a page that is not below this one' });
  }
  if (parent.body.locale !== page.body.locale) {
    throw fail('validation_failed', { path: 'parent', expected: `a page in the same locale, ${page.body.locale}` });
  }
  return parent;
}

async function pagesBelow(view: View, { body }: PageNode): Promise<PageNode[]> {
  const pages: PageNode[] = [];
  let cursor: string | undefined;
  do {
    const page = await view.list({
      kind: 'page',
      locale: body.locale,
      where: below(body.path),
      sort: 'path',
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    });
    pages.push(...page.items);
    cursor = page.cursor;
    if (pages.length > maxBelow) throw fail('limit_exceeded', { what: 'The number of pages below', max: maxBelow });
  } while (cursor !== undefined);
  return pages;
}
