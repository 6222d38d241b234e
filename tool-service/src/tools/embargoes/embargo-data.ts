import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import { Type } from 'typebox';
import { titleOf } from '../../changes/title.ts';
import type { Translatable } from '../../content/translations.ts';
import type { Draft } from '../../graph/draft.ts';
import type { GraphNode } from '../../graph/node.ts';

/** The embargo of a node after a change; null when there is none. */
export const EmbargoData = Type.Object({
  node: Type.String(),
  until: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});

/** The node as a person is shown it: the agent is told no title that nobody has looked at. */
export function heldNode(node: GraphNode) {
  const title = quote(titleOf(node));
  return { id: node.id, kind: node.kind, change: 'changed', title, values: [{ member: '"title"', after: title }] };
}

/** A node that can be under embargo, at the rev that the caller read. */
export async function embargoable(draft: Draft, id: string, rev: number): Promise<Translatable> {
  const node = await draft.node(id);
  if (node.kind !== 'page' && node.kind !== 'entry')
    throw fail('validation_failed', { path: 'node', expected: 'a page or an entry' });
  // Changes nothing, and refuses a stale rev.
  return (await draft.save(node.kind, id, rev, (body) => body)) as Translatable;
}
