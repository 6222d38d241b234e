import { fail } from '@cloudhal/shared/errors';
import type { EntryBody } from '@cloudhal/shared/site/shapes';
import { titleOf } from '../changes/title.ts';
import { embargoesOf } from '../embargoes/embargoes.ts';
import type { Draft } from '../graph/draft.ts';
import type { Difference, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { isImported } from '../tools/untrusted.ts';

/** All that differs from what is live, or these nodes of it. */
export type What = { all?: boolean; nodes?: string[] };

export type Plan = {
  /** From live to draft, without what is embargoed. */
  changes: Difference[];
  /** Without the title where nobody has looked at it. */
  embargoed: { node: string; until: string; title?: string }[];
  /** Nodes that were asked for and are live as they are. */
  unchanged: string[];
};

/** How many nodes one publish takes at most. */
const mostNodes = 5_000;

/** What publishing would change for readers. */
export async function planPublish(view: View, what: What, now: Date): Promise<Plan> {
  const ids = await nodesOf(view, what);
  const all = await view.allDifferences({ track: 'live' }, { track: 'draft' }, ids && { nodes: ids });
  if (all.length > mostNodes) throw fail('limit_exceeded', { what: 'A publish', max: `${mostNodes} nodes` });
  const shown = all.filter(({ after }) => after && !after.deleted);
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
  const changed = new Set(all.map(({ id }) => id));
  return {
    changes: all.filter(({ id }) => !held.has(id)),
    embargoed,
    unchanged: (ids ?? []).filter((id) => !changed.has(id)),
  };
}

/** The ids that were named; undefined for all. */
async function nodesOf(view: View, { all, nodes }: What): Promise<string[] | undefined> {
  if ((all === true) === (nodes !== undefined)) {
    throw fail('validation_failed', { path: 'what', expected: 'either "all": true or "nodes": [ids]' });
  }
  if (!nodes) return undefined;
  const found = new Set((await view.nodes(nodes, { trash: true })).map((node) => node.id));
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
export async function putLive(draft: Draft, plan: Plan, byPerson: boolean): Promise<void> {
  for (const { after } of byPerson ? plan.changes : []) {
    const imported = after?.kind === 'entry' && !after.deleted && (after.body as EntryBody).untrusted;
    if (imported) await draft.save('entry', after.id, after.rev, ({ untrusted: _, ...entry }) => entry);
  }
  const ids = plan.changes.map(({ id }) => id);
  const drafts = new Map((await draft.nodes(ids)).map((node) => [node.id, node]));
  await draft.place('live', new Map(ids.map((id): [string, GraphNode | undefined] => [id, drafts.get(id)])));
}
