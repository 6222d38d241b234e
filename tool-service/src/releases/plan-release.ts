import { fail } from '@cloudhal/shared/errors';
import type { ReleaseItem } from '@cloudhal/shared/site/release';
import { embargoesOf } from '../embargoes/embargoes.ts';
import { changesDigest } from '../graph/changes-digest.ts';
import type { Change } from '../graph/draft.ts';
import { shownAssets } from '../graph/named-nodes.ts';
import type { GraphNode } from '../graph/node.ts';
import { toNode, type VersionRow, versionColumns, versionTables } from '../graph/rows.ts';
import type { View } from '../graph/view.ts';
import { followAssets } from '../publish/follow-assets.ts';
import { redirectsOf } from '../publish/redirects-of.ts';
import { typesOf } from '../publish/types-of.ts';

/** Why an item cannot, or should not, go live as it is; in a sentence. */
export type Conflict = {
  node: string;
  with: 'draft' | 'live' | 'release';
  /** The other release. */
  release?: string;
  problem: string;
  /** What it keeps from running: nothing, scheduling the release, or any way to put it live. */
  blocks: 'nothing' | 'schedule' | 'publish';
};

export type ReleasePlan = {
  /** From what is live to what the release makes of it. */
  changes: (Change & { track: 'live' })[];
  /** Nodes that go live as the release says, whatever their draft is. */
  pinned: ReadonlySet<string>;
  /** Items that are live as they are to be. */
  unchanged: string[];
  conflicts: Conflict[];
  /** At the time that was asked about. */
  embargoed: { node: string; until: string }[];
  /** Of what the release itself changes, and the assets it shows, live already or not; what an approval is given for. */
  digest: string;
};

type Versions = {
  item: ReleaseItem;
  live: GraphNode | undefined;
  draft: GraphNode | undefined;
  wanted: GraphNode | undefined;
};

/** What a release would change for readers if it went live at `at`, by the store's clock when absent, and what stands against it. */
export async function planRelease(view: View, release: GraphNode<'release'>, at?: Date): Promise<ReleasePlan> {
  const { items } = release.body;
  const versions = await versionsOf(view, items);
  const conflicts = versions.flatMap(conflictsOf);
  const missing = new Set(conflicts.filter(({ blocks }) => blocks === 'publish').map(({ node }) => node));
  const own: ReleasePlan['changes'] = [];
  const unchanged: string[] = [];
  for (const { item, live, wanted } of versions) {
    if (missing.has(item.node)) continue;
    if (live?.hash === wanted?.hash && live?.path === wanted?.path) unchanged.push(item.node);
    else own.push(liveChange(item.node, live, wanted));
  }
  own.push(...(await redirectChanges(view, items, own)));
  const followed = await followAssets(
    view,
    [...own, ...(await typesOf(view, own))],
    new Set(items.map(({ node }) => node)),
  );
  const changes = followed.changes.map((change) => ({ track: 'live' as const, ...change }));
  conflicts.push(...followed.inUse.map(shownStill));
  conflicts.push(...(await takenPaths(view, changes)), ...(await otherReleases(view, release)));
  const embargoes = await embargoesOf(
    view,
    changes.flatMap(({ after }) => after ?? []),
    at,
  );
  return {
    changes,
    pinned: new Set([
      ...items.filter(({ op, rev }) => op === 'unpublish' || rev !== undefined).map(({ node }) => node),
      ...followed.off,
    ]),
    unchanged,
    conflicts,
    embargoed: [...embargoes].map(([node, until]) => ({ node, until })),
    digest: changesDigest(own, await shownDrafts(view, own)),
  };
}

function shownStill({ node, by }: { node: string; by: string[] }): Conflict {
  return { node, with: 'live', problem: `it is still shown by ${by.join(', ')}`, blocks: 'publish' };
}

/** The redirects that go live with the addresses that the release changes, as they do with a publish. */
async function redirectChanges(
  view: View,
  items: readonly ReleaseItem[],
  changes: ReleasePlan['changes'],
): Promise<ReleasePlan['changes']> {
  const inside = new Set(items.map(({ node }) => node));
  const nodes = (await redirectsOf(view, changes)).filter((id) => !inside.has(id));
  const following = await view.allDifferences({ track: 'live' }, { track: 'draft' }, { nodes });
  return following.map((change) => ({ track: 'live', ...change }));
}

/** The drafts of the assets that changes show. */
async function shownDrafts(view: View, changes: ReleasePlan['changes']): Promise<string[]> {
  const ids = new Set(changes.flatMap(({ after }) => (after && !after.deleted ? shownAssets(after) : [])));
  return (await view.nodes([...ids].sort())).map(({ id, hash }) => `${id} ${hash}`);
}

/** Refuses what would show readers something too early, or cannot go live as it is. */
export function mustBeClear(
  { conflicts = [], embargoed }: { conflicts?: Conflict[]; embargoed: { node: string; until: string }[] },
  what: 'schedule' | 'publish',
): void {
  const [held] = embargoed;
  if (held) throw fail('embargoed', held);
  const blocking = conflicts.filter(({ blocks }) => blocks === 'publish' || blocks === what);
  if (blocking.length > 0) {
    throw fail('release_conflict', { with: blocking.map(({ node, problem }) => `${node}: ${problem}`) });
  }
}

function liveChange(id: string, before: GraphNode | undefined, after: GraphNode | undefined) {
  const { kind } = (after ?? before)!;
  return { track: 'live' as const, id, kind, ...(before && { before }), ...(after && { after }) };
}

async function versionsOf(view: View, items: readonly ReleaseItem[]): Promise<Versions[]> {
  const ids = items.map(({ node }) => node);
  const [drafts, live, pinned] = await Promise.all([
    view.nodes(ids, { trash: true }),
    view.nodes(ids, { track: 'live' }),
    versionsAt(view, items),
  ]);
  const [draftOf, liveOf] = [byId(drafts), byId(live)];
  return items.map((item) => {
    const draft = draftOf.get(item.node);
    const head = draft?.deleted ? undefined : draft;
    const wanted = item.op === 'unpublish' ? undefined : item.rev === undefined ? head : pinned.get(item.node);
    return { item, draft, live: liveOf.get(item.node), wanted };
  });
}

/** A node as a release would put it live now. */
export async function releasedVersion(view: View, release: string, node: string): Promise<GraphNode> {
  const { items } = (await view.get('release', release)).body;
  const item = items.find((one) => one.node === node && one.op === 'publish');
  const [version] = item ? await versionsOf(view, [item]) : [];
  if (version?.wanted) return version.wanted;
  throw fail('validation_failed', { path: 'node', expected: 'a node that the release publishes, see get_release' });
}

/** The versions of the draft that items are pinned to, by node. */
export async function versionsAt(view: View, items: readonly ReleaseItem[]): Promise<Map<string, GraphNode>> {
  const pinned = items.filter(({ rev }) => rev !== undefined);
  if (pinned.length === 0) return new Map();
  const rows = await view.rows<VersionRow>(
    `SELECT ${versionColumns} FROM ${versionTables}
     JOIN unnest($2::text[], $3::float8[]) AS i (id, rev) ON v.node_id = i.id AND v.rev = i.rev
     WHERE v.site_id = $1 AND v.track = 'draft' AND NOT v.deleted ORDER BY v.from_seq`,
    [pinned.map(({ node }) => node), pinned.map(({ rev }) => rev)],
  );
  return byId(rows.map(toNode));
}

function conflictsOf({ item: { node, op, rev }, draft, live, wanted }: Versions): Conflict[] {
  if (op === 'unpublish') {
    return live ? [] : [{ node, with: 'live', problem: 'it is not live', blocks: 'nothing' }];
  }
  if (!wanted) {
    const problem = rev === undefined ? 'it is in the trash' : `its draft never had rev ${rev}`;
    return [{ node, with: 'draft', problem, blocks: 'publish' }];
  }
  if (rev === undefined) return [];
  if (live && live.rev > rev) {
    return [{ node, with: 'live', problem: `rev ${live.rev} is live, newer than its rev ${rev}`, blocks: 'publish' }];
  }
  if (draft && draft.rev > rev) {
    const problem = draft.deleted ? 'it is in the trash by now' : `its draft is at rev ${draft.rev} by now`;
    return [{ node, with: 'draft', problem, blocks: 'nothing' }];
  }
  return [];
}

/** Addresses that another node has, on the live site or in the release itself. */
async function takenPaths(view: View, changes: readonly Change[]): Promise<Conflict[]> {
  const wanted = changes.flatMap(({ id, after }) =>
    after?.path === undefined ? [] : [{ node: id, path: after.path, locale: after.locale }],
  );
  if (wanted.length === 0) return [];
  const changed = new Set(changes.map(({ id }) => id));
  const live = await view.rows<{ node: string; path: string; locale: string | null }>(
    `SELECT node_id AS node, path, locale FROM tools.ver
     WHERE site_id = $1 AND track = 'live' AND to_seq IS NULL AND NOT deleted AND path = ANY($2)`,
    [wanted.map(({ path }) => path)],
  );
  const others = [...live.filter(({ node }) => !changed.has(node)), ...wanted];
  return wanted.flatMap(({ node, path, locale }): Conflict[] => {
    const other = others.find((o) => o.node !== node && o.path === path && (o.locale ?? undefined) === locale);
    if (!other) return [];
    return [{ node, with: 'live', problem: `its address is also that of ${other.node}`, blocks: 'publish' }];
  });
}

/** Other releases that have yet to go live, and change the same nodes. */
async function otherReleases(view: View, release: GraphNode<'release'>): Promise<Conflict[]> {
  const rows = await view.rows<{ release: string; node: string; scheduled: boolean }>(
    `SELECT v.node_id AS release, i->>'node' AS node, coalesce(r.state, '') = 'scheduled' AS scheduled
     FROM tools.ver v JOIN tools.body b ON b.hash = v.hash CROSS JOIN LATERAL jsonb_array_elements(b.doc->'items') i
     LEFT JOIN LATERAL (
       SELECT state FROM tools.release_run r WHERE r.site_id = v.site_id AND r.release_id = v.node_id
       ORDER BY r.created_at DESC LIMIT 1
     ) r ON true
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.kind = 'release' AND v.to_seq IS NULL AND NOT v.deleted
       AND v.node_id <> $2 AND i->>'node' = ANY($3) AND coalesce(r.state, '') <> 'released'
     ORDER BY 1, 2 LIMIT 100`,
    [release.id, release.body.items.map(({ node }) => node)],
  );
  return rows.map(({ release: other, node, scheduled }) => ({
    node,
    with: 'release',
    release: other,
    problem: `it is also in ${scheduled ? 'the scheduled ' : ''}release ${other}`,
    blocks: scheduled ? 'schedule' : 'nothing',
  }));
}

function byId(nodes: readonly GraphNode[]): Map<string, GraphNode> {
  return new Map(nodes.map((node) => [node.id, node]));
}
