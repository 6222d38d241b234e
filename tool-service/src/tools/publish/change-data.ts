import { Type } from 'typebox';
import { titleOf } from '../../changes/title.ts';
import type { Draft } from '../../graph/draft.ts';
import { isImported, sourceOf } from '../untrusted.ts';

const mostShown = 100;

/** What a change of many nodes did, as tools return it; titles that nobody has looked at are set apart. */
export const ChangesData = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.String(),
      title: Type.Optional(Type.String()),
      track: Type.String(),
      change: Type.String(),
    }),
  ),
  count: Type.Integer(),
});

export function changesData({ changes }: Draft) {
  const shown = changes.slice(0, mostShown).map(({ id, kind, track, before, after }) => {
    const change = !after || after.deleted ? 'removed' : !before || before.deleted ? 'added' : 'changed';
    const node = (after ?? before)!;
    return { known: { id, kind, track, change }, title: titleOf(node), imported: isImported(node) };
  });
  const untrusted = shown
    .filter(({ imported }) => imported)
    .map(({ known: { id }, title }) => ({ source: sourceOf(id), id, title }));
  return {
    nodes: shown.map(({ known, title, imported }) => ({ ...known, ...(!imported && { title }) })),
    count: changes.length,
    ...(untrusted.length > 0 && { untrusted }),
  };
}
