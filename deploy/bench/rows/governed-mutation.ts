import type { Bench, Rows } from '../bench.ts';
import { compare, type Subject, sliceRow, WrongAnswer } from '../harness.ts';
import { type Hops, startHops } from '../hops.ts';
import { resultOf, toolCall } from '../mcp.ts';
import { type Entry, governed } from '../world.ts';

/** A change with its two transactions, its snapshot and its record. */
export const governedMutation: Rows = {
  name: 'governed mutation',
  async measure(bench) {
    const hops = await startHops(
      'hops-write',
      bench,
      bench.world.entries.map(({ slug, body }) => ({ slug, text: body })),
    );
    try {
      const pairs = await compare(handMade(hops, bench.world.entries), governedChanges(bench), bench.timing);
      return [
        sliceRow('governed mutation against hops-write: p50', 'p50', pairs, { target: { atMost: 2 } }),
        sliceRow('governed mutation against hops-write: CPU', 'cpu', pairs),
      ];
    } finally {
      await hops.stop();
    }
  },
};

/** `update_entry` of entries in turn, each with the rev that it has. */
export function governedChanges({ world }: Pick<Bench, 'world'>): Subject {
  const free = [...world.entries];
  const busy = new Map<number, Entry>();
  return governed(world, {
    call(index) {
      const entry = take(free, busy, index);
      const set = { title: `About ${entry.slug}, change ${index} of rev ${entry.rev}` };
      return toolCall('update_entry', { site: world.site, entry: entry.id, rev: entry.rev, set }, world.key);
    },
    check(text, index) {
      const entry = busy.get(index)!;
      const { rev, snapshot } = resultOf(text);
      if (rev !== entry.rev + 1 || snapshot === undefined) throw new WrongAnswer(text.slice(0, 300));
      entry.rev = rev;
      give(free, busy, index);
    },
  });
}

function handMade(hops: Hops, entries: readonly Entry[]): Subject {
  const free = entries.map(({ slug, body }) => ({ slug, body, rev: 1 }));
  const busy = new Map<number, (typeof free)[number]>();
  return {
    ...hops,
    call(index) {
      const { slug, body, rev } = take(free, busy, index);
      return { headers: {}, body: JSON.stringify({ slug, rev, text: `Change ${index} of rev ${rev}\n\n${body}` }) };
    },
    check(text, index) {
      if (!(Number(JSON.parse(text).seq) > 0)) throw new WrongAnswer(text.slice(0, 300));
      busy.get(index)!.rev += 1;
      give(free, busy, index);
    },
  };
}

/** Nobody else changes the same one meanwhile. */
function take<T>(free: T[], busy: Map<number, T>, index: number): T {
  const one = free.shift();
  if (one === undefined) throw new Error('There are fewer entries than calls in flight.');
  busy.set(index, one);
  return one;
}

function give<T>(free: T[], busy: Map<number, T>, index: number): void {
  free.push(busy.get(index)!);
  busy.delete(index);
}
