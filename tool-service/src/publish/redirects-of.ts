import { addressOf } from '../content/site-paths.ts';
import type { Difference, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';

type Moved = Pick<Difference, 'before' | 'after'>;

/**
 * The redirects that go with nodes whose address changes: those that lead on from the old one, and those that stand at the
 * new one and are gone on the draft. Without them readers would find nothing, or the redirect.
 */
export async function redirectsOf(view: View, changes: readonly Moved[]): Promise<string[]> {
  const moved = changes.filter(({ before, after }) => before?.path !== after?.path);
  if (moved.length === 0) return [];
  const head = await view.head();
  const addresses = (node: GraphNode | undefined) => (node && !node.deleted ? (addressOf(node, head) ?? []) : []);
  const rows = await view.rows<{ id: string }>(
    `SELECT DISTINCT node_id AS id FROM tools.ver WHERE site_id = $1 AND kind = 'redirect' AND to_seq IS NULL AND NOT deleted
       AND ((track = 'draft' AND path = ANY($2)) OR (track = 'live' AND path = ANY($3)))`,
    [moved.flatMap(({ before }) => addresses(before)), moved.flatMap(({ after }) => addresses(after))],
  );
  return rows.map(({ id }) => id);
}
