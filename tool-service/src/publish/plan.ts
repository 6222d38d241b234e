import { fail } from '@cloudhal/shared/errors';
import { titleOf } from '../changes/title.ts';
import { embargoesOf } from '../embargoes/embargoes.ts';
import type { Draft } from '../graph/draft.ts';
import { kindRow } from '../graph/kinds.ts';
import type { Difference, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { planRelease, type ReleasePlan } from '../releases/plan-release.ts';
import { isImported } from '../tools/untrusted.ts';
import { followAssets } from './follow-assets.ts';
import { redirectsOf } from './redirects-of.ts';
import { typesOf } from './types-of.ts';

/** All that differs from what is live, or these nodes of it, or what a release says. */
export type What = { all?: boolean; nodes?: string[]; release?: string };

export type Plan = {
  /** From live to draft, without what is embargoed. */
  changes: Difference[];
  /** Without the title where nobody has looked at it. */
  embargoed: { node: string; until: string; title?: string }[];
  /** Nodes that were asked for and are live as they are. */
  unchanged: string[];
  /** Of a release: why it cannot, or should not, go live as it is. */
  conflicts?: ReleasePlan['conflicts'];
  /** Nodes that go live as the plan says, whatever their draft is. */
  pinned?: ReadonlySet<string>;
};

/** How many nodes one publish takes at most. */
const mostNodes = 5_000;

/** What publishing would change for readers. */
export async function planPublish(view: View, what: What, now: Date): Promise<Plan> {
  if (what.release !== undefined && what.all === undefined && what.nodes === undefined) {
    return planRelease(view, await view.get('release', what.release), now);
  }
  const ids = await nodesOf(view, what);
  const asked = await view.allDifferences({ track: 'live' }, { track: 'draft' }, ids && { nodes: ids });
  const redirects = ids ? await redirectsOf(view, asked) : [];
  const found =
    redirects.length === 0
      ? asked
      : await view.allDifferences({ track: 'live' }, { track: 'draft' }, { nodes: [...ids!, ...redirects] });
  const shown = found.filter(({ after }) => after && !after.deleted);
  const held = await embargoesOf(
    view,
    shown.map(({ after }) => after!),
    now,
  );
  const embargoed = shown.flatMap(({ id, after }) => {
    const until = held.get(id);
    if (until === undefined) return [];
    return [{ node: id, until, ...(!isImported(after!) && { title: titleOf(after!) }) }];
  });
  const free = found.filter(({ id }) => !held.has(id));
  const { changes, off, inUse } = await followAssets(view, [...free, ...(await typesOf(view, free))], new Set(ids));
  if (changes.length > mostNodes) throw fail('limit_exceeded', { what: 'A publish', max: `${mostNodes} nodes` });
  const used = inUse.find(({ node }) => ids?.includes(node));
  if (used) throw fail('in_use', used);
  const changed = new Set(found.map(({ id }) => id));
  return { changes, embargoed, unchanged: (ids ?? []).filter((id) => !changed.has(id)), pinned: new Set(off) };
}

/** The ids that were named; undefined for all. */
async function nodesOf(view: View, { all, nodes, release }: What): Promise<string[] | undefined> {
  if ((all === true) === (nodes !== undefined) || release !== undefined) {
    const expected = 'one of "all": true, "nodes": [ids] and "release": its id';
    throw fail('validation_failed', { path: 'what', expected });
  }
  if (!nodes) return undefined;
  // What is live and has no draft any more goes off.
  const drafts = await view.nodes(nodes, { trash: true });
  const there = [...drafts, ...(await view.nodes(nodes, { track: 'live' }))];
  const found = new Set(there.map((node) => node.id));
  if (there.some(({ kind }) => kindRow(kind).draftOnly)) {
    throw fail('validation_failed', { path: 'what.nodes', expected: 'nodes that readers can see' });
  }
  const missing = nodes.find((id) => !found.has(id));
  if (missing !== undefined) throw fail('not_found', { what: 'node', id: missing });
  return [...found];
}

/** Refuses where one of the nodes has another draft than in the snapshot that the caller saw. */
export async function expectDraft(view: View, snapshot: string, nodes: readonly string[]): Promise<void> {
  if (nodes.length === 0) return;
  const { items } = await view.differences({ snapshot }, {}, { nodes, limit: 1 });
  if (items.length > 0) throw fail('digest_moved', { node: items[0]!.id });
}

/** Puts the drafts of a plan live. Text from outside that a person lets go live has been looked at: the mark goes. */
export async function putLive(
  draft: Draft,
  { changes, pinned }: Pick<Plan, 'changes' | 'pinned'>,
  byPerson: boolean,
): Promise<void> {
  const following = changes.filter(({ id }) => !pinned?.has(id));
  for (const { after } of byPerson ? following : []) {
    if (!after || after.deleted || !isImported(after)) continue;
    const { kind, id, rev } = after as GraphNode<'asset' | 'entry'>;
    await draft.save(kind, id, rev, ({ untrusted: _, ...body }) => body);
  }
  const drafts = new Map((await draft.nodes(following.map(({ id }) => id))).map((node) => [node.id, node]));
  const versions = changes.map(({ id, after }): [string, GraphNode | undefined] => [
    id,
    pinned?.has(id) ? after : drafts.get(id),
  ]);
  await draft.place('live', new Map(versions));
}
