import { contentHash } from '@cloudhal/shared/canonical-json';
import { isImported } from '../tools/untrusted.ts';
import type { Change } from './draft.ts';
import type { GraphNode } from './node.ts';

/**
 * What an approval of a change binds to: which versions it ends and makes, whatever their revs. The mark of imported text
 * is no part of it, since the approval itself takes that off. `bound` is what else the decision rests on.
 */
export function changesDigest(changes: readonly Change[], bound: readonly unknown[] = []): string {
  const facts = changes
    .map(({ track, id, before, after }) => [track, id, state(before), state(after)])
    .filter(([, , before, after]) => before !== after);
  facts.sort((a, b) => (String(a) < String(b) ? -1 : 1));
  return contentHash(bound.length === 0 ? facts : [facts, bound]);
}

function state(node: GraphNode | undefined): string {
  if (!node) return 'absent';
  const hash = isImported(node) ? contentHash({ ...node.body, untrusted: undefined }) : node.hash;
  return node.deleted ? `deleted ${hash}` : hash;
}
