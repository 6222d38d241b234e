import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Rows } from '../bench.ts';
import { callOnce, type Subject } from '../harness.ts';
import { startLimit } from '../limit-process.ts';
import { inPairs, median, ratios } from '../pairs.ts';
import { othersWhile } from '../processes.ts';
import { measuredRow } from '../report.ts';
import { governedReads } from './governed-read.ts';

/** From the start of a process to its first answered call, the servers and the other services being there. */
export const start: Rows = {
  name: 'start',
  async measure({ world, timing }: Bench) {
    const read = await governedReads({ world }, world.entries[0]!);
    const gateway = world.deployment.services.gateway[0]!;
    const { result: pairs, others } = await othersWhile(world.allPids(), () =>
      inPairs(timing.pairs, bareStart, async () => {
        await gateway.kill('SIGTERM');
        const startedAt = performance.now();
        const ready = gateway.restart();
        const ms = await firstAnswer(read, startedAt);
        await ready;
        return ms;
      }),
    );
    const own = (ms: number) => ms;
    return [
      measuredRow({
        metric: 'start of a gateway to its first answered call, against a bare node server',
        unit: 'ms',
        value: median(pairs.map(({ variant }) => variant)),
        baseline: median(pairs.map(({ baseline }) => baseline)),
        ratio: ratios(pairs, own, own),
        target: { atMost: 5 },
        others,
      }),
    ];
  },
};

async function bareStart(): Promise<number> {
  const startedAt = performance.now();
  const bare = await startLimit('bare');
  try {
    return await firstAnswer(
      { url: bare.url, call: () => ({ headers: {}, body: '{}' }), check: () => undefined },
      startedAt,
    );
  } finally {
    await bare.stop();
  }
}

async function firstAnswer(subject: Omit<Subject, 'pids'>, startedAt: number): Promise<number> {
  for (;;) {
    try {
      subject.check(await callOnce(subject), 0);
      return performance.now() - startedAt;
    } catch (error) {
      if (performance.now() - startedAt > 30_000) throw error;
      await sleep(5);
    }
  }
}
