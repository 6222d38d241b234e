import type { Bench } from './bench.ts';
import type { Graph } from './graph.ts';
import { inPairs, median, ratios } from './pairs.ts';
import { othersWhile } from './processes.ts';
import { measuredRow, type Row } from './report.ts';

/**
 * What some work costs on a site of many nodes against a site of few. `time` does it some times over and gives the median
 * in milliseconds.
 */
export async function growthRow(
  bench: Bench,
  what: string,
  atMost: number,
  time: (graph: Graph) => Promise<number>,
): Promise<Row> {
  const [few, many] = [await bench.few(), await bench.many()];
  for (const graph of [few, many]) await time(graph);
  const { result: pairs, others } = await othersWhile([bench.world.deployment.postgres.pid], () =>
    inPairs(
      bench.timing.pairs,
      () => time(few),
      () => time(many),
    ),
  );
  const p50 = (ms: number) => ms;
  return measuredRow({
    metric: `${what} on ${many.ids.length} nodes against ${few.ids.length}: p50`,
    unit: 'ms',
    value: median(pairs.map(({ variant }) => variant)),
    baseline: median(pairs.map(({ baseline }) => baseline)),
    ratio: ratios(pairs, p50, p50),
    target: { atMost },
    others,
  });
}

/** The median of the milliseconds that each of so many runs took; what `prepare` does before each is not counted. */
export async function p50Of(
  times: number,
  run: (at: number) => Promise<unknown>,
  prepare?: () => Promise<unknown>,
): Promise<number> {
  const each: number[] = [];
  for (let at = 0; at < times; at++) {
    await prepare?.();
    const startedAt = performance.now();
    await run(at);
    each.push(performance.now() - startedAt);
  }
  return median(each);
}
