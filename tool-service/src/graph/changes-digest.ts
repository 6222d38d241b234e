import { contentHash } from '@cloudhal/shared/canonical-json';
import type { Change } from './draft.ts';

/** What an approval of a change binds to: which versions it ends and makes, whatever their revs. */
export function changesDigest(changes: readonly Change[]): string {
  const facts = changes.map(({ track, id, before, after }) => [track, id, state(before), state(after)]);
  return contentHash(facts.sort((a, b) => (String(a) < String(b) ? -1 : 1)));
}

function state(node: { hash: string; deleted: boolean } | undefined): string {
  if (!node) return 'absent';
  return node.deleted ? `deleted ${node.hash}` : node.hash;
}
