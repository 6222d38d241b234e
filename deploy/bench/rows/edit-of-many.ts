import type { Bench, Rows } from '../bench.ts';
import type { Graph } from '../graph.ts';
import { inPairs, median, ratios } from '../pairs.ts';
import { othersWhile } from '../processes.ts';
import { measuredRow } from '../report.ts';

/** One edit with its snapshot, on a site of many nodes against a site of few. */
export const editOfMany: Rows = {
  name: 'edit',
  async measure(bench: Bench) {
    const [few, many] = [await bench.few(), await bench.many()];
    const edits = bench.quick ? 50 : 300;
    for (const graph of [few, many]) await p50OfEdits(graph, edits);
    const { result: pairs, others } = await othersWhile([bench.postgres.pid], () =>
      inPairs(
        bench.timing.pairs,
        () => p50OfEdits(few, edits),
        () => p50OfEdits(many, edits),
      ),
    );
    const p50 = (ms: number) => ms;
    return [
      measuredRow({
        metric: `one edit on ${many.ids.length} nodes against ${few.ids.length}: p50`,
        unit: 'ms',
        value: median(pairs.map(({ variant }) => variant)),
        baseline: median(pairs.map(({ baseline }) => baseline)),
        ratio: ratios(pairs, p50, p50),
        target: { atMost: 1.3 },
        others,
      }),
    ];
  },
};

/** Edits one after the other, each of another entry. */
async function p50OfEdits(graph: Graph, count: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const id = graph.ids[Math.floor(Math.random() * graph.ids.length)]!;
    const startedAt = performance.now();
    await graph.change((draft) => graph.retitle(draft, id, `A title of ${startedAt}`));
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
