import { fail } from '@cloudhal/shared/errors';
import type { Draft } from '../graph/draft.ts';
import type { Difference, GraphNode } from '../graph/node.ts';
import { isImported } from '../tools/untrusted.ts';
import { holdTogether } from './hold-together.ts';
import { takeBack } from './take-back.ts';

/** Takes exactly one snapshot's changes of the draft back. What came later stays; where it touches the same, nothing is done. */
export async function undoSnapshot(draft: Draft, id: string): Promise<void> {
  const snapshot = await draft.snapshot(id);
  if (snapshot.parent === undefined) {
    throw fail('validation_failed', { path: 'snapshot', expected: 'one that changed something: this is the first' });
  }
  const changes = await draft.allDifferences({ snapshot: snapshot.parent }, { snapshot: id });
  if (changes.length === 0) {
    throw fail('validation_failed', {
      path: 'snapshot',
      expected: 'one that changed the draft; use rollback for the live site',
    });
  }
  const ids = changes.map((change) => change.id);
  const current = new Map((await draft.nodes(ids, { trash: true })).map((node) => [node.id, node]));
  const conflicts: string[] = [];
  // The addresses of entries follow from their types: those that stay come first, and those that go come last.
  const order = ({ kind, before }: Difference) => (kind !== 'content_type' ? 0 : isThere(before) ? -1 : 1);
  for (const change of changes.toSorted((a, b) => order(a) - order(b))) {
    const fields = await undoOne(draft, change, current.get(change.id));
    if (fields.length > 0) conflicts.push(`${change.id} (${fields.join(', ')})`);
  }
  if (conflicts.length > 0) throw fail('undo_conflict', { nodes: conflicts });
  await holdTogether(draft);
}

/** Takes one node's change back, or names the members that came to be something else since. */
async function undoOne(draft: Draft, change: Difference, now: GraphNode | undefined): Promise<string[]> {
  const { before, after } = change;
  const untouched =
    now !== undefined && after !== undefined && now.hash === after.hash && now.deleted === after.deleted;
  if (!isThere(before)) {
    // It was made, or came back from the trash.
    if (!isThere(now)) {
      // A rollback may have dropped it from the trash.
      if (before && !after && !now) await draft.place('draft', new Map([[change.id, before]]));
      return [];
    }
    if (!untouched) return ['the node itself'];
    await draft.remove(now!.id, now!.rev);
    return [];
  }
  if (!isThere(after)) {
    if (isThere(now)) return ['the node itself'];
    await draft.restore(before!, now?.rev, before!.body);
    return [];
  }
  if (!isThere(now)) return ['the node itself'];
  const { body, conflicts } = takeBack(before!.body, after!.body, now!.body);
  if (conflicts.length > 0) return conflicts;
  // Text from before somebody looked at it comes back as what it was.
  const taken = isImported(before!) ? { ...body, untrusted: true } : body;
  await draft.save(now!.kind, now!.id, now!.rev, () => taken as GraphNode['body']);
  return [];
}

function isThere(node: GraphNode | undefined): boolean {
  return node !== undefined && !node.deleted;
}
