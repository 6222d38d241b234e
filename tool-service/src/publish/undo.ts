import { fail } from '@cloudhal/shared/errors';
import type { EntryBody, NodeBody, NodeKind } from '@cloudhal/shared/site/shapes';
import { checkFields } from '../content/entries.ts';
import type { Draft } from '../graph/draft.ts';
import type { Difference, GraphNode } from '../graph/node.ts';
import { isImported } from '../tools/untrusted.ts';
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
  // Types first: what is taken back in entries is checked against what their types are then.
  const isType = (change: Difference) => Number(change.kind === 'content_type');
  for (const change of changes.toSorted((a, b) => isType(b) - isType(a))) {
    const fields = await undoOne(draft, change, current.get(change.id), ids);
    if (fields.length > 0) conflicts.push(`${change.id} (${fields.join(', ')})`);
  }
  if (conflicts.length > 0) throw fail('undo_conflict', { nodes: conflicts });
}

/** Takes one node's change back, or names the members that came to be something else since. */
async function undoOne(
  draft: Draft,
  change: Difference,
  now: GraphNode | undefined,
  ids: readonly string[],
): Promise<string[]> {
  const { before, after } = change;
  const untouched =
    now !== undefined && after !== undefined && now.hash === after.hash && now.deleted === after.deleted;
  if (!isThere(before)) {
    // It was made, or came back from the trash.
    if (!isThere(now)) return [];
    if (!untouched) return ['the node itself'];
    if (now!.kind === 'content_type') await refuseUsedType(draft, now as GraphNode<'content_type'>);
    if (now!.kind === 'asset') await refuseUsedAsset(draft, now!, ids);
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
  await draft.save(now!.kind, now!.id, now!.rev, () => checked(draft, now!.kind, taken));
  return [];
}

/** Entries cannot be without their type. */
async function refuseUsedType(draft: Draft, { id, body: { name } }: GraphNode<'content_type'>): Promise<void> {
  const { items } = await draft.list({ kind: 'entry', type: name, limit: 5 });
  if (items.length > 0) throw fail('in_use', { node: id, by: items.map((entry) => entry.id) });
}

/** What shows an asset, apart from what is undone with it, would show nothing. */
async function refuseUsedAsset(draft: Draft, asset: GraphNode, undone: readonly string[]): Promise<void> {
  const rows = await draft.rows<{ source: string }>(
    `SELECT DISTINCT source FROM tools.edge WHERE site_id = $1 AND target = ANY($2)
       AND (track = 'live' OR track = 'draft' AND NOT source = ANY($3)) ORDER BY 1 LIMIT 20`,
    [[asset.id], undone],
  );
  if (rows.length > 0) throw fail('in_use', { node: asset.id, by: rows.map(({ source }) => source) });
}

function isThere(node: GraphNode | undefined): boolean {
  return node !== undefined && !node.deleted;
}

/** What is merged must still be what its type asks for. */
async function checked<K extends NodeKind>(draft: Draft, kind: K, body: object): Promise<NodeBody[K]> {
  if (kind === 'entry') {
    const entry = body as EntryBody;
    checkFields(await draft.contentType(entry.type), entry.fields, 'fields');
  }
  return body as NodeBody[K];
}
