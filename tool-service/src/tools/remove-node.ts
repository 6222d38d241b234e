import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import { keepRedirect } from '../content/lead-away.ts';
import { linksTo, readersSee, refuseLive } from '../content/uses.ts';
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
  if (!options.unpublish) await refuseLive(draft, node);
  const { links: found, more } = await linksTo(draft, node);
  const links = await linkTexts(draft, found);
  if (links.length > 0 && options.onInboundLinks === 'refuse') {
    throw fail('in_use', { node: node.id, by: links, ...(more && { more }) });
  }
  const removed = await draft.remove(node.id, rev);
  if (await readersSee(draft, node)) {
    await draft.place('live', new Map([[node.id, undefined]]));
    await takeAssetsOff(draft);
  } else await keepRedirect(draft, node);
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
