import { toCursor } from '@cloudhal/tool-service/graph/cursor';
import type { GraphNode, NodeQuery } from '@cloudhal/tool-service/graph/node';
import type { Bench, Rows } from '../bench.ts';
import type { Graph } from '../graph.ts';
import { growthRow, p50Of } from '../growth.ts';
import { WrongAnswer } from '../harness.ts';

const list = { kind: 'entry', type: 'article', limit: 25 } as const;

/** Lists and searches, on a site of many nodes against a site of few. */
export const readsOfMany: Rows = {
  name: 'reads',
  async measure(bench: Bench) {
    const times = bench.quick ? 20 : 100;
    const listed = (query: Omit<NodeQuery, 'kind'>) => (graph: Graph) => p50Of(times, () => page(graph, query));
    return [
      await growthRow(bench, 'first page of a list', 1.5, listed({ sort: 'updated', descending: true })),
      await growthRow(bench, 'first page by title', 1.5, listed({ sort: 'title' })),
      await growthRow(bench, 'late page of a list', 1.5, async (graph) => {
        const cursor = await lateCursor(graph);
        return p50Of(times, () => page(graph, { sort: 'date', cursor }));
      }),
      await growthRow(bench, 'search for one node', 1.5, async (graph) => {
        const wanted = await graph
          .view()
          .nodes(graph.ids.filter((_, at) => at % Math.floor(graph.ids.length / 20) === 0));
        return p50Of(times, async (at) => {
          const { id, body } = wanted[at % wanted.length] as GraphNode<'entry'>;
          // The last word of a title is its own.
          const text = String(body.fields.title).split(' ').at(-1)!;
          const { items } = await graph.view().search({ text });
          if (!items.some((hit) => hit.id === id)) throw new WrongAnswer(`not the node whose title has ${text}`);
        });
      }),
    ];
  },
};

async function page(graph: Graph, query: Omit<NodeQuery, 'kind'>): Promise<void> {
  const { items } = await graph.view().list({ ...list, ...query });
  if (items.length !== list.limit) throw new WrongAnswer(`a page of ${items.length}`);
}

/** Where a list by date goes on after nine tenths of the site. */
async function lateCursor({ database, site, ids }: Graph): Promise<string> {
  const [row] = await database.query<{ date: string; id: string }>(
    `SELECT date, node_id AS id FROM tools.ver WHERE site_id = $1 AND track = 'draft' AND kind = 'entry' AND to_seq IS NULL
     ORDER BY date, node_id OFFSET $2 LIMIT 1`,
    [site, Math.floor(ids.length * 0.9)],
  );
  return toCursor(row!.date, row!.id);
}
