import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import type { Draft } from '../graph/draft.ts';
import type { Backlink, GraphNode } from '../graph/node.ts';
import { takeAssetsOff } from '../publish/follow-assets.ts';
import { untrustedIds } from './untrusted.ts';

type Options = {
  /** Also takes it off the live site. */
  unpublish: boolean;
  onInboundLinks: 'refuse' | 'allow';
};

/** Moves a node to the trash, unless readers see it or something links to it and the caller did not say that this is meant. */
export async function removeNode(draft: Draft, node: GraphNode, rev: number, options: Options) {
  const status = await draft.status(node);
  const live = status === 'published' || status === 'changed';
  if (live && !options.unpublish) {
    throw fail('in_use', { node: node.id, by: 'the live site; unpublish it first' });
  }
  const { items, cursor } = await draft.backlinks(node, { limit: 20 });
  const links = await linkTexts(
    draft,
    items.filter(({ source }) => source !== node.id),
  );
  if (links.length > 0 && options.onInboundLinks === 'refuse') {
    throw fail('in_use', { node: node.id, by: links, ...(cursor !== undefined && { more: true }) });
  }
  const removed = await draft.remove(node.id, rev);
  if (live) {
    await draft.place('live', new Map([[node.id, undefined]]));
    await takeAssetsOff(draft);
  }
  return { rev: removed.rev, warnings: links.map((link) => `A link breaks in ${link}.`) };
}

/** What links, by id, and by title where somebody has looked at it. */
async function linkTexts(draft: Draft, links: readonly Backlink[]): Promise<string[]> {
  const untrusted = await untrustedIds(
    draft,
    links.map(({ source }) => source),
  );
  return links.map(({ source, kind, title }) =>
    untrusted.has(source) ? `${kind} ${source}` : `${kind} ${source} ${quote(title)}`,
  );
}
