import type { Bench, Rows } from '../bench.ts';
import type { Graph } from '../graph.ts';
import { type Call, drive, WrongAnswer } from '../harness.ts';
import { resultOf, toolCall } from '../mcp.ts';
import { median, quartiles } from '../pairs.ts';
import { hasProc } from '../processes.ts';
import { measuredRow, voidRow } from '../report.ts';
import { governed, megabytes, type World } from '../world.ts';

const growthLimit = { atMost: 1.1 };

/** What a tool worker has in memory after reads of all sorts on a site of many nodes, and after as many more. */
export const memoryOfMany: Rows = {
  name: 'memory of many',
  async measure({ quick, world, many }: Bench) {
    if (!hasProc) return [voidRow('memory of many', growthLimit, 'Memory is not known here: there is no /proc.')];
    const graph = await many();
    const calls = quick ? 1_000 : 10_000;
    // The middle of ten looks: it goes up and down between two rounds of the garbage collector.
    const after = async () => {
      const looks: number[] = [];
      for (let part = 0; part < 10; part++) {
        await read(world, graph, calls / 10, (part * calls) / 10);
        looks.push((await megabytes(world.deployment)).tools!);
      }
      return median(looks);
    };
    // It compiles, and its heap takes the size that these calls need.
    await after();
    const [earlier, later] = [await after(), await after()];
    return [
      measuredRow({
        metric: `memory of tools on ${graph.ids.length} nodes, after ${calls} more reads`,
        unit: 'MB',
        value: later,
        baseline: earlier,
        ratio: quartiles([later / earlier]),
        target: growthLimit,
      }),
    ];
  },
};

/** Lists, searches, entries and differences in turn, each of other nodes from the one at `from` on. */
async function read(world: World, { ids, site }: Graph, calls: number, from: number): Promise<void> {
  const tool = (name: string, args: object) => toolCall(name, { site, ...args }, world.key);
  const reads: ((id: string, at: number) => Call)[] = [
    (id) => tool('get_entry', { entry: id }),
    (_, at) => tool('list_entries', { type: 'article', sort: at % 2 ? '-date' : 'title', limit: 50 }),
    (_, at) => tool('search_site', { query: `install ${at}` }),
    (id) => tool('get_node_history', { node: id }),
    () => tool('get_publish_plan', { what: { all: true } }),
  ];
  const subject = governed(world, {
    call: (at) => reads[at % reads.length]!(ids[((from + at) * 7_919) % ids.length]!, from + at),
    check(text) {
      if (resultOf(text).data === undefined) throw new WrongAnswer(text.slice(0, 300));
    },
  });
  await drive(subject, { inFlight: 16, calls });
}
