import { fail } from '@cloudhal/shared/errors';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { getPage } from './pages.ts';

/** A page or entry by id or path; `/` is the home page. */
export async function getNode(view: View, ref: string, at?: At): Promise<GraphNode> {
  if (!ref.startsWith('/')) return view.node(ref, at);
  if (ref === '/') return getPage(view, ref, at);
  const node = await view.atPath(ref.replace(/\/+$/, ''), at);
  if (!node) throw fail('not_found', { what: 'node', id: ref });
  return node;
}
