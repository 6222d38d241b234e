import type { RedirectBody } from '@cloudhal/shared/site/redirect';
import type { GraphNode, Track } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { followRedirects, redirectAt } from './follow-redirects.ts';
import { ownPath } from './redirect-address.ts';
import { ownAddresses } from './site-paths.ts';

/** `chain`: it leads to another redirect; `loop`: to itself in the end; `dead`: to where nothing is. */
export type RedirectProblem = 'chain' | 'loop' | 'dead';

/** What is wrong with redirects as they are, by id. Tools make no such, but a rollback or a page that went may. */
export async function redirectProblems(
  view: View,
  redirects: readonly GraphNode<'redirect'>[],
  track: Track = 'draft',
): Promise<Map<string, RedirectProblem>> {
  const targets = redirects.flatMap(({ body }) => ownPath(body.to) ?? []);
  const there = await ownAddresses(view, targets, track);
  const known = new Map<string, RedirectBody>();
  for (const { body, path } of await at(view, targets, track)) known.set(path!, body);
  const problems = new Map<string, RedirectProblem>();
  for (const { id, body } of redirects) {
    const target = ownPath(body.to);
    if (target === undefined || there.has(target)) continue;
    const { hops, end } = await followRedirects(body.from, async (path) => {
      if (path === body.from) return body;
      return known.get(path) ?? (await redirectAt(view, path, { track }))?.body;
    });
    if (end === 'loop') problems.set(id, 'loop');
    else problems.set(id, hops.length > 1 ? 'chain' : 'dead');
  }
  return problems;
}

/** The redirects that answer for the paths. */
async function at(view: View, paths: readonly string[], track: Track): Promise<GraphNode<'redirect'>[]> {
  const rows = await view.rows<{ id: string }>(
    `SELECT node_id AS id FROM tools.ver WHERE site_id = $1 AND track = $2 AND kind = 'redirect' AND path = ANY($3)
       AND to_seq IS NULL AND NOT deleted`,
    [track, paths],
  );
  return (await view.nodes(
    rows.map(({ id }) => id),
    { track },
  )) as GraphNode<'redirect'>[];
}
