import { fail } from '@cloudhal/shared/errors';
import type { Draft } from '../graph/draft.ts';
import { shownAssets } from '../graph/named-nodes.ts';
import type { Difference, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';

export type Followed = {
  /** The changes of the live track, with those of the assets that come and go with them. */
  changes: Difference[];
  /** Assets that go off the live site although their drafts stay. */
  off: string[];
  /** Assets that were to go off and that live nodes show, with those nodes. */
  inUse: { node: string; by: string[] }[];
};

/**
 * Readers have an asset while something live shows it: it goes live with the first such node and off with the last. One that
 * nothing shows goes live only where it is named.
 */
export async function followAssets(
  view: View,
  changes: readonly Difference[],
  named: ReadonlySet<string> = new Set(),
): Promise<Followed> {
  const others = changes.filter(({ kind }) => kind !== 'asset');
  const own = changes.filter(({ kind }) => kind === 'asset');
  const after = new Set(others.flatMap((change) => shownBy(change.after)));
  const before = new Set(others.flatMap((change) => shownBy(change.before)));
  const asked = [...new Set([...after, ...before, ...own.map(({ id }) => id)])];
  if (asked.length === 0) return { changes: [...changes], off: [], inUse: [] };
  const [live, drafts, users] = await Promise.all([
    byId(view, asked, { track: 'live' }),
    byId(view, [...after], {}),
    liveUsers(view, asked, others),
  ]);
  const isShown = (id: string) => after.has(id) || users.has(id);
  const given = new Set(own.map(({ id }) => id));
  const inUse: Followed['inUse'] = [];
  const kept = own.filter((change) => {
    const { id } = change;
    if (isThere(change.after)) return isThere(change.before) || named.has(id) || isShown(id);
    if (isShown(id)) inUse.push({ node: id, by: users.get(id) ?? usersAmong(others, id) });
    return !isShown(id);
  });
  const coming = [...after].flatMap((id): Difference[] => {
    const draft = drafts.get(id);
    return !draft || live.has(id) || given.has(id) ? [] : [{ id, kind: 'asset', after: draft }];
  });
  const leaving = [...before].flatMap((id): Difference[] => {
    const gone = live.get(id);
    return !gone || isShown(id) || named.has(id) || given.has(id) ? [] : [{ id, kind: 'asset', before: gone }];
  });
  return { changes: [...others, ...kept, ...coming, ...leaving], off: leaving.map(({ id }) => id), inUse };
}

/** Takes off what nothing live shows any more, as part of what the call does; refuses where an asset of it is still shown. */
export async function takeAssetsOff(draft: Draft): Promise<void> {
  const { off, inUse } = await followAssets(
    draft,
    draft.changes.filter(({ track }) => track === 'live'),
  );
  const [first] = inUse;
  if (first) throw fail('in_use', first);
  await draft.place('live', new Map(off.map((id) => [id, undefined])));
}

function shownBy(node: GraphNode | undefined): string[] {
  return isThere(node) ? shownAssets(node) : [];
}

function usersAmong(changes: readonly Difference[], asset: string): string[] {
  return changes.filter(({ after }) => shownBy(after).includes(asset)).map(({ id }) => id);
}

/** Live nodes that show the assets, apart from those that change. */
async function liveUsers(view: View, assets: readonly string[], but: readonly Difference[]) {
  const rows = await view.rows<{ asset: string; by: string[] }>(
    `SELECT target AS asset, (array_agg(DISTINCT source))[1:20] AS by FROM tools.edge
     WHERE site_id = $1 AND track = 'live' AND target = ANY($2) AND NOT source = ANY($3) GROUP BY target`,
    [assets, but.map(({ id }) => id)],
  );
  return new Map(rows.map(({ asset, by }) => [asset, by]));
}

async function byId(view: View, ids: readonly string[], at: { track?: 'live' }): Promise<Map<string, GraphNode>> {
  return new Map((await view.nodes(ids, at)).map((node) => [node.id, node]));
}

function isThere(node: GraphNode | undefined): node is GraphNode {
  return node !== undefined && !node.deleted;
}
