import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import type { Translatable } from '../../content/translations.ts';
import type { Draft } from '../../graph/draft.ts';

/** The embargo of a node after a change; null when there is none. */
export const EmbargoData = Type.Object({
  node: Type.String(),
  until: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});

/** A node that can be under embargo, at the rev that the caller read. */
export async function embargoable(draft: Draft, id: string, rev: number): Promise<Translatable> {
  const node = await draft.node(id);
  if (node.kind !== 'page' && node.kind !== 'entry')
    throw fail('validation_failed', { path: 'node', expected: 'a page or an entry' });
  // Changes nothing, and refuses a stale rev.
  return (await draft.save(node.kind, id, rev, (body) => body)) as Translatable;
}
