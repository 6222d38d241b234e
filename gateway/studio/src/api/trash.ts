import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Asset, type ListedAssets, wholeAssets } from './media.ts';
import { callTool } from './tools.ts';

/** Kinds of nodes that people delete and bring back. */
export type Kind = 'entry' | 'page' | 'asset';
export type Node = { kind: Kind; id: string; rev: number };

/** What refers to a node. There is no title where nobody has looked at an imported one yet. */
export type Backlink = { source: string; kind: string; title?: string; path?: string; role: string };

export const backlinksQuery = (site: string, node: string) =>
  queryOptions({
    queryKey: ['sites', site, 'backlinks', node],
    queryFn: async () => {
      const { data, cursor } = await callTool<{ backlinks: Backlink[] }>('get_backlinks', { site, node, limit: 20 });
      return { links: data.backlinks.filter(({ source }) => source !== node), hasMore: cursor !== undefined };
    },
  });

type Meant = {
  /** Readers see it, and then do not any more. Pages are taken off the site first. */
  unpublish: boolean;
  /** What links to it may break. */
  breaksLinks: boolean;
};

/** Moves a node to the trash. */
export function deleteNode(site: string, { kind, id, rev }: Node, { unpublish, breaksLinks }: Meant) {
  return callTool<object>(`delete_${kind}`, {
    site,
    [kind]: id,
    rev,
    ...(kind === 'entry' && unpublish && { unpublish }),
    ...(breaksLinks && { onInboundLinks: 'allow' }),
  });
}

/** Out of the trash, into the draft. */
export const restore = (site: string, node: string) =>
  callTool<{ id: string; kind: Kind; rev: number }>('restore_node', { site, node, from: 'trash' });

export type Deleted = { id: string; title: string; path?: string; updatedAt: string; updatedBy: string };

type Titled = { 'fields.title'?: string; title?: string };
type Queried = {
  nodes: (Omit<Deleted, 'title'> & { select?: Titled })[];
  untrusted?: { id: string; select?: Titled }[];
};

/** What was deleted of one kind, the newest first. */
export const trashQuery = (site: string, kind: Kind) =>
  infiniteQueryOptions({
    queryKey: ['sites', site, 'trash', kind],
    queryFn: ({ pageParam }) => {
      const page = { site, limit: 25, ...(pageParam !== undefined && { cursor: pageParam }) };
      return kind === 'asset' ? deletedAssets(page) : deletedNodes(kind, page);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

async function deletedAssets(page: object) {
  type Listed = Asset & { updatedAt: string; updatedBy: string };
  const { data, cursor } = await callTool<ListedAssets<Listed>>('list_assets', { ...page, trash: true });
  return { deleted: wholeAssets(data).map((asset): Deleted => ({ ...asset, title: asset.filename })), cursor };
}

async function deletedNodes(kind: Kind, page: object) {
  const title = kind === 'entry' ? 'fields.title' : 'title';
  const asked = { ...page, where: { kind, status: 'trash' }, select: [title], order: '-updated' };
  const { data, cursor } = await callTool<Queried>('query_nodes', asked);
  const imported = new Map(data.untrusted?.map(({ id, select }) => [id, select]));
  const deleted = data.nodes.map(({ select, ...node }): Deleted => {
    return { ...node, title: (select ?? imported.get(node.id))?.[title] ?? '' };
  });
  return { deleted, cursor };
}
