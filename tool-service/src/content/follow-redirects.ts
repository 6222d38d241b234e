import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { ownPath } from './redirect-address.ts';
import { ownAddresses } from './site-paths.ts';

type Redirect = GraphNode<'redirect'>;
type Hop = Pick<Redirect['body'], 'from' | 'to' | 'status'>;

/** What a path of the site leads to by redirects, in order. */
export type Followed<H extends Hop = Redirect['body']> = {
  hops: H[];
  /** `gone`: 410; `loop`: it never ends; `elsewhere`: another site; `here`: `path` is the end, whatever is there. */
  end: 'gone' | 'loop' | 'elsewhere' | 'here';
  path?: string;
};

const mostHops = 10;

/** Follows redirects from a path; `find` gives the one that answers for a path. */
export async function followRedirects<H extends Hop>(
  from: string,
  find: (path: string) => Promise<H | undefined> | H | undefined,
): Promise<Followed<H>> {
  const hops: H[] = [];
  const seen = new Set<string>();
  for (let path = from; ; ) {
    if (seen.has(path) || hops.length > mostHops) return { hops, end: 'loop', path };
    seen.add(path);
    const hop = await find(path);
    if (!hop) return { hops, end: 'here', path };
    hops.push(hop);
    if (hop.status === 410) return { hops, end: 'gone', path };
    const next = ownPath(hop.to);
    if (next === undefined) return { hops, end: 'elsewhere' };
    path = next;
  }
}

/** The redirect that answers for a path as readers ask for it. */
export function redirectAt(view: View, path: string, at?: At): Promise<Redirect | undefined> {
  return view.find('redirect', path.normalize('NFC'), at);
}

/** Where the published site leads on from a path: to the end at once, whatever leads on from there, and never into a loop. */
export async function liveRedirect(
  view: View,
  path: string,
): Promise<{ id: string; status: number; to?: string } | undefined> {
  const at: At = { track: 'live' };
  const first = await redirectAt(view, path, at);
  if (!first) return undefined;
  const { hops, end } = await followRedirects(first.body.from, async (next) => {
    if (next === first.body.from) return first.body;
    // What is there is served, as it would be to whoever asks for it.
    if ((await ownAddresses(view, [next], 'live')).has(next)) return undefined;
    return (await redirectAt(view, next, at))?.body;
  });
  const to = hops.at(-1)?.to;
  if (end === 'loop') return undefined;
  return { id: first.id, status: first.body.status, ...(end !== 'gone' && to !== undefined && { to }) };
}
