import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Rows } from '../bench.ts';
import { drive } from '../harness.ts';
import { hasProc } from '../processes.ts';
import { measuredRow, plainRow, type Row, voidRow } from '../report.ts';
import { megabytes, type World } from '../world.ts';
import { governedChanges } from './governed-mutation.ts';
import { governedReads } from './governed-read.ts';

const idleLimit = { atMost: 90 };
const busyLimit = { atMost: 130 };
/** What garbage that was not collected yet makes of the same memory. */
const growthLimit = { atMost: 1.1 };

/** What each service has in memory: idle, after many calls, and after a quarter as many more. */
export const memory: Rows = {
  name: 'memory',
  async measure({ quick, world }: Bench) {
    if (!hasProc) return [voidRow('memory', busyLimit, 'Memory is not known here: there is no /proc.')];
    const calls = quick ? 2_000 : 100_000;
    const { idle } = world;
    await callMany(world, calls);
    const busy = await megabytes(world.deployment);
    await callMany(world, calls / 4);
    const after = await megabytes(world.deployment);
    return Object.keys(idle).flatMap((name): Row[] => [
      plainRow(`memory of ${name}, idle`, 'MB', idle[name]!, { limit: idleLimit }),
      plainRow(`memory of ${name}, after ${calls} calls`, 'MB', busy[name]!, { limit: busyLimit }),
      measuredRow({
        metric: `memory of ${name}, after ${calls / 4} more`,
        unit: 'MB',
        value: after[name]!,
        baseline: busy[name]!,
        ratio: one(after[name]! / busy[name]!),
        target: growthLimit,
      }),
    ]);
  },
};

/** Nine reads for each change. */
async function callMany(world: World, calls: number): Promise<void> {
  await drive(await governedReads({ world }, world.entries[0]!), { inFlight: 16, calls: calls * 0.9 });
  await drive(governedChanges({ world }), { inFlight: 16, calls: calls * 0.1 });
  await sleep(2_000);
}

function one(value: number) {
  return { q25: value, median: value, q75: value };
}
