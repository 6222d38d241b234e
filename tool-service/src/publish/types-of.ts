import { fail } from '@cloudhal/shared/errors';
import type { ContentTypeBody, EntryBody } from '@cloudhal/shared/site/shapes';
import type { Difference, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';

/** The types that go live with changes, as the first of their entries do; refuses where one goes off and leaves entries. */
export async function typesOf(view: View, changes: readonly Difference[]): Promise<Difference[]> {
  const own = new Set(changes.flatMap(({ after }) => (isType(after) ? [after.body.name] : [])));
  await refuseUsedTypes(view, changes, own);
  const needed = new Set(changes.flatMap(({ after }) => (isEntry(after) ? [after.body.type] : [])));
  const coming = [...needed].map(async (name): Promise<Difference[]> => {
    if (own.has(name) || (await view.find('content_type', name, { track: 'live' }))) return [];
    const draft = await view.find('content_type', name);
    return draft ? [{ id: draft.id, kind: 'content_type', after: draft }] : [];
  });
  return (await Promise.all(coming)).flat();
}

async function refuseUsedTypes(view: View, changes: readonly Difference[], kept: ReadonlySet<string>): Promise<void> {
  const gone = changes.filter(({ after }) => !after || after.deleted);
  for (const { id, before } of gone) {
    if (!isType(before) || kept.has(before.body.name)) continue;
    const users = await view.rows<{ id: string }>(
      `SELECT node_id AS id FROM tools.ver WHERE site_id = $1 AND track = 'live' AND kind = 'entry' AND type = $2
         AND to_seq IS NULL AND NOT deleted AND NOT node_id = ANY($3) ORDER BY 1 LIMIT 20`,
      [before.body.name, gone.map((change) => change.id)],
    );
    if (users.length > 0) throw fail('in_use', { node: id, by: users.map((user) => user.id) });
  }
}

function isType(node: GraphNode | undefined): node is GraphNode & { body: ContentTypeBody } {
  return node?.kind === 'content_type' && !node.deleted;
}

function isEntry(node: GraphNode | undefined): node is GraphNode & { body: EntryBody } {
  return node?.kind === 'entry' && !node.deleted;
}
