import { fail } from '@cloudhal/shared/errors';
import type { ReleaseItem } from '@cloudhal/shared/site/release';
import type { NodeKind } from '@cloudhal/shared/site/shapes';
import { kindName } from '../changes/title.ts';
import { kindRow } from '../graph/kinds.ts';
import type { View } from '../graph/view.ts';
import { versionsAt } from './plan-release.ts';

export const maxReleaseItems = 200;
/** Without these no page of the site can be shown. */
const unremovable: ReadonlySet<NodeKind> = new Set(['site', 'content_type']);

export type NewItem = { node: string; op?: 'publish' | 'unpublish'; rev?: number };

/** Items as they are kept, checked: nodes that can be live, each once, pinned to a rev that there was. `path` names the argument. */
export async function checkItems(view: View, items: readonly NewItem[], path: string): Promise<ReleaseItem[]> {
  const checked = items.map(({ node, op = 'publish', rev }) => ({ node, op, ...(rev !== undefined && { rev }) }));
  const ids = checked.map(({ node }) => node);
  const [drafts, live, versions] = await Promise.all([
    view.nodes(ids, { trash: true }),
    view.nodes(ids, { track: 'live' }),
    versionsAt(view, checked),
  ]);
  const known = new Map([...live, ...drafts].map((node) => [node.id, node]));
  const seen = new Set<string>();
  for (const [index, { node: id, op, rev }] of checked.entries()) {
    const refuse = (member: string, expected: string) =>
      fail('validation_failed', { path: `${path}[${index}].${member}`, expected });
    const node = known.get(id);
    if (!node) throw fail('not_found', { what: 'node', id });
    if (kindRow(node.kind).draftOnly) throw refuse('node', 'a node that readers can see');
    if (op === 'unpublish' && unremovable.has(node.kind)) throw refuse('op', `publish: the ${kindName(node)} stays`);
    if (seen.has(id)) throw refuse('node', 'each node once');
    seen.add(id);
    if (op === 'unpublish' && rev !== undefined) throw refuse('rev', 'none: nothing of it stays live');
    if (op === 'publish' && rev === undefined && node.deleted) throw refuse('node', 'one that is not in the trash');
    if (rev !== undefined && !versions.has(id)) throw refuse('rev', `a rev that its draft had; it is now ${node.rev}`);
  }
  return checked;
}

export function mustFit(items: readonly ReleaseItem[]): ReleaseItem[] {
  if (items.length > maxReleaseItems) throw fail('limit_exceeded', { what: 'A release', max: maxReleaseItems });
  return [...items];
}
