import type { Bench, Rows } from '../bench.ts';
import type { Graph } from '../graph.ts';
import { WrongAnswer } from '../harness.ts';
import { inPairs, median, ratios } from '../pairs.ts';
import { othersWhile } from '../processes.ts';
import { measuredRow } from '../report.ts';

const changes = 10;

/** What differs between two snapshots with ten changes between them, against joining the two states. */
export const diffOfMany: Rows = {
  name: 'diff',
  async measure(bench: Bench) {
    const graph = await bench.many();
    const changed = graph.ids.filter((_, at) => at % Math.floor(graph.ids.length / changes) === 0).slice(0, changes);
    const [first, last] = await changeEach(graph, changed);
    const ours = async () => {
      const { items } = await graph.view().differences({ snapshot: first }, { snapshot: last }, { limit: 50 });
      return items.map(({ id }) => id);
    };
    const seqs = [(await graph.view().snapshot(first)).seq, (await graph.view().snapshot(last)).seq];
    const theirs = async () =>
      (await graph.database.query<{ id: string }>(fullJoin, [graph.site, ...seqs])).map(({ id }) => id);
    const timed = (diff: () => Promise<string[]>, times: number) => () => medianTime(diff, times, changed);
    const pair = [timed(theirs, bench.quick ? 1 : 3), timed(ours, bench.quick ? 20 : 50)] as const;
    for (const warmUp of pair) await warmUp();
    const { result: pairs, others } = await othersWhile([bench.world.deployment.postgres.pid], () =>
      inPairs(bench.timing.pairs, ...pair),
    );
    return [
      measuredRow({
        metric: `diff of ${changes} changes on ${graph.ids.length} nodes against a full join: times faster`,
        unit: 'ms',
        value: median(pairs.map(({ variant }) => variant)),
        baseline: median(pairs.map(({ baseline }) => baseline)),
        ratio: ratios(
          pairs,
          (ms) => 1 / ms,
          (ms) => 1 / ms,
        ),
        target: { atLeast: 40 },
        others,
      }),
    ];
  },
};

/** The snapshots before and after the changes, each change one of its own. */
async function changeEach(graph: Graph, ids: readonly string[]): Promise<[string, string]> {
  const { snapshot: first } = await graph.view().head();
  let last = first;
  for (const id of ids) last = await graph.change((draft) => graph.retitle(draft, id, `Changed for the diff: ${id}`));
  return [first, last];
}

const state = (seq: string) =>
  `SELECT node_id, hash, deleted FROM tools.ver
   WHERE site_id = $1 AND track = 'draft' AND from_seq <= ${seq} AND (to_seq IS NULL OR to_seq > ${seq})`;
const fullJoin = `SELECT node_id AS id FROM (${state('$2')}) x FULL JOIN (${state('$3')}) y USING (node_id)
  WHERE (x.hash, x.deleted) IS DISTINCT FROM (y.hash, y.deleted)`;

async function medianTime(diff: () => Promise<string[]>, times: number, changed: readonly string[]): Promise<number> {
  const right = [...changed].sort().join();
  const each: number[] = [];
  for (let i = 0; i < times; i++) {
    const startedAt = performance.now();
    const ids = await diff();
    each.push(performance.now() - startedAt);
    if (ids.sort().join() !== right)
      throw new WrongAnswer(`the diff gave ${ids.length} nodes that are not the changed ones`);
  }
  return median(each);
}
