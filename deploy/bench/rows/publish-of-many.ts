import type { Draft } from '@cloudhal/tool-service/graph/draft';
import { expectDraft, planPublish, putLive } from '@cloudhal/tool-service/publish/plan';
import { rollBack } from '@cloudhal/tool-service/publish/rollback';
import type { Bench, Rows } from '../bench.ts';
import type { Graph } from '../graph.ts';
import { growthRow, p50Of } from '../growth.ts';
import { WrongAnswer } from '../harness.ts';

const few = 10;

/** A publish of a few changes, and a rollback over many snapshots, on a site of many nodes against a site of few. */
export const publishOfMany: Rows = {
  name: 'publish',
  async measure(bench: Bench) {
    const times = bench.quick ? 3 : 10;
    const snapshots = bench.quick ? 20 : 200;
    return [
      await growthRow(bench, `plan and publish of ${few} changes`, 1.5, async (graph) => {
        // What earlier rows changed goes first.
        await publishAll(graph);
        return p50Of(
          times,
          async () => {
            const nodes = await publishAll(graph);
            if (nodes !== few) throw new WrongAnswer(`${nodes} nodes were published, not ${few}`);
          },
          () => retitle(graph, few),
        );
      }),
      await growthRow(bench, `rollback over ${snapshots} snapshots`, 1.5, async (graph) => {
        const { snapshot } = await graph.view().head();
        // That the digests are those of then is proved by the rollback itself.
        const back = (draft: Draft) =>
          rollBack(draft, { snapshot, tracks: ['draft'], expectLive: undefined }, new Date());
        return p50Of(
          1,
          () => graph.change(back, true),
          async () => {
            for (let at = 0; at < snapshots; at++) await retitle(graph, 1);
          },
        );
      }),
    ];
  },
};

/** Changes so many different entries, as one snapshot. */
function retitle(graph: Graph, count: number): Promise<string> {
  const ids = new Set<string>();
  while (ids.size < count) ids.add(graph.anyId());
  return graph.change(async (draft) => {
    for (const id of ids) await graph.retitle(draft, id, `Not for long: ${performance.now()}`);
  });
}

/** As get_publish_plan and then publish do it; how many nodes went live. */
async function publishAll(graph: Graph): Promise<number> {
  const { changes } = await planPublish(graph.view(), { all: true }, new Date());
  const { snapshot } = await graph.view().head();
  if (changes.length === 0) return 0;
  await graph.change(async (draft) => {
    const plan = await planPublish(draft, { all: true }, new Date());
    await expectDraft(
      draft,
      snapshot,
      plan.changes.map(({ id }) => id),
    );
    await putLive(draft, plan, true);
  }, true);
  return changes.length;
}
