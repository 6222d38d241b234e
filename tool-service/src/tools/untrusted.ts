import { quote } from '@cloudhal/shared/quote';
import { titleOf } from '../changes/title.ts';
import type { GraphNode, Track } from '../graph/node.ts';
import type { View } from '../graph/view.ts';

/** How a node came from outside. */
export function sourceOf(id: string): 'fetch' | 'import' {
  return id.startsWith('as_') ? 'fetch' : 'import';
}

/** Its text comes from outside, and no person has edited or published it yet. */
export function isImported({ body }: Pick<GraphNode, 'body'>): boolean {
  return 'untrusted' in body && body.untrusted === true;
}

/** What sentences call a node: its title, in quotes, or its id where nobody has looked at that. */
export function nameOf(node: GraphNode): string {
  return isImported(node) ? node.id : quote(titleOf(node));
}

/** What a node is known by; it has no title where nobody has looked at that. */
export function briefOf(node: GraphNode) {
  const { kind, path, locale } = node;
  return {
    kind,
    ...(!isImported(node) && { title: titleOf(node) }),
    ...(path !== undefined && { path }),
    ...(locale !== undefined && { locale }),
  };
}

/** Those of the nodes whose text nobody has looked at. */
export async function untrustedIds(view: View, ids: readonly string[], track: Track = 'draft'): Promise<Set<string>> {
  const nodes = await view.nodes(
    ids.filter((id) => id.startsWith('en_')),
    { track },
  );
  return new Set(nodes.filter(isImported).map(({ id }) => id));
}
