import { fail } from '@cloudhal/shared/errors';
import type { RedirectBody } from '@cloudhal/shared/site/redirect';
import type { Draft } from '../graph/draft.ts';
import type { GraphNode } from '../graph/node.ts';
import { followRedirects, redirectAt } from './follow-redirects.ts';
import { ownPath, redirectTo } from './redirect-address.ts';
import { addressOf, ownAddresses } from './site-paths.ts';

/**
 * Leads readers on, at once, from the addresses of nodes that are taken off the live site; `gone` says that nothing follows.
 * The draft still has the nodes at their addresses, so there the redirects are in the trash: whoever publishes a node again
 * takes its redirect away with it.
 */
export async function leadAway(draft: Draft, nodes: readonly GraphNode[], target: string): Promise<void> {
  const head = await draft.head();
  const to = target === 'gone' ? undefined : redirectTo(target, 'redirect');
  const froms = nodes.flatMap((node) => addressOf(node, head) ?? []);
  const onward = ownPath(to);
  if (onward !== undefined) {
    const live = (path: string) => redirectAt(draft, path, { track: 'live' });
    const { hops, end } = await followRedirects(onward, async (path) => (await live(path))?.body);
    const passed = [onward, ...hops.flatMap((hop) => ownPath(hop.to) ?? [])];
    if (end === 'loop' || passed.some((path) => froms.includes(path))) {
      throw fail('redirect_loop', { path: passed.join(' → ') });
    }
  }
  for (const from of froms) {
    const body: RedirectBody = {
      from,
      ...(to !== undefined && { to }),
      locale: head.defaultLocale,
      status: to === undefined ? 410 : 301,
    };
    await draft.place('live', new Map([await placed(draft, body)]));
  }
}

/** Brings the redirect by which readers are led on from a node's address back to the draft, where the node leaves it. */
export async function keepRedirect(draft: Draft, node: GraphNode): Promise<void> {
  const address = addressOf(node, await draft.head());
  const live = address === undefined ? undefined : await redirectAt(draft, address, { track: 'live' });
  if (!live || (await redirectAt(draft, live.body.from))) return;
  await draft.restore(live, undefined, live.body);
}

async function placed(draft: Draft, body: RedirectBody): Promise<[string, GraphNode]> {
  const there = await redirectAt(draft, body.from);
  if (there) return [there.id, await draft.save('redirect', there.id, there.rev, () => body)];
  const isFree = !(await ownAddresses(draft, [body.from], 'draft')).has(body.from);
  const made = await draft.create('redirect', body);
  if (!isFree) await draft.remove(made.id, made.rev);
  return [made.id, made];
}
