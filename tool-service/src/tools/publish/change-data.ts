import { Type } from 'typebox';
import { titleOf } from '../../changes/title.ts';
import type { Draft } from '../../graph/draft.ts';

const mostShown = 100;

/** What a change of many nodes did, as tools return it. */
export const ChangesData = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.String(),
      title: Type.String(),
      track: Type.String(),
      change: Type.String(),
    }),
  ),
  count: Type.Integer(),
});

export function changesData({ changes }: Draft) {
  const nodes = changes.slice(0, mostShown).map(({ id, kind, track, before, after }) => {
    const change = !after || after.deleted ? 'removed' : !before || before.deleted ? 'added' : 'changed';
    return { id, kind, title: titleOf((after ?? before)!), track, change };
  });
  return { nodes, count: changes.length };
}
