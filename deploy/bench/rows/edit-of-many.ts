import type { Bench, Rows } from '../bench.ts';
import { growthRow, p50Of } from '../growth.ts';

/** One edit with its snapshot, on a site of many nodes against a site of few. */
export const editOfMany: Rows = {
  name: 'edit',
  async measure(bench: Bench) {
    const edits = bench.quick ? 50 : 300;
    return [
      await growthRow(bench, 'one edit', 1.3, (graph) =>
        p50Of(edits, () =>
          graph.change((draft) => graph.retitle(draft, graph.anyId(), `A title of ${performance.now()}`)),
        ),
      ),
    ];
  },
};
