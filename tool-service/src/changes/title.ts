import type { NodeKind } from '@cloudhal/shared/site/shapes';
import { kindRow } from '../graph/kinds.ts';
import type { GraphNode } from '../graph/node.ts';

/** What a person knows a node by. */
export function titleOf(node: GraphNode): string {
  const { title, slug } = kindRow(node.kind).columns(node.body as never);
  return title || slug || node.id;
}

/** "3 articles and 1 page". */
export function countOf(nodes: readonly GraphNode[]): string {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const name = kindName(node);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = [...counts].map(([name, count]) => countedWith(count, name));
  const last = parts.pop() ?? 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

/** `1 comment`, `3 comments`. */
export function countedWith(count: number, name: string): string {
  return `${count} ${count === 1 ? name : plural(name)}`;
}

export function kindName(node: { kind: NodeKind; body: unknown }): string {
  const type = node.kind === 'entry' ? (node.body as { type: string }).type : node.kind;
  return type.replaceAll('_', ' ');
}

function plural(name: string): string {
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}
