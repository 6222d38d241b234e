import { contentHash } from '@cloudhal/shared/canonical-json';
import { isImported } from '../tools/untrusted.ts';
import type { Change } from './draft.ts';
import type { GraphNode } from './node.ts';

/**
 * What an approval of a change binds to: which versions it ends and makes, whatever their revs. The mark of imported text
 * is no part of it, since the approval itself takes that off.
 */
export function changesDigest(changes: readonly Change[]): string {
  const facts = changes
    .map(({ track, id, before, after }) => [track, id, state(before), state(after)])
    .filter(([, , before, after]) => before !== after);
  return contentHash(facts.sort((a, b) => (String(a) < String(b) ? -1 : 1)));
}

function state(node: GraphNode | undefined): string {
  if (!node) return 'absent';
  const hash = isImported(node) ? contentHash({ ...node.body, untrusted: undefined }) : node.hash;
  return node.deleted ? `deleted ${hash}` : hash;
}
