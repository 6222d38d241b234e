import type { Bench, Rows } from '../bench.ts';
import { callOnce, compare, othersOf, type Slice, type Subject, WrongAnswer } from '../harness.ts';
import { type LimitProcess, startLimit } from '../limit-process.ts';
import { resultOf, toolCall } from '../mcp.ts';
import { median, type Pair, quartiles } from '../pairs.ts';
import { measuredRow } from '../report.ts';
import { governed, type World } from '../world.ts';
import { mustBe } from './governed-read.ts';

/** A second worker of a pool that is bound by its CPU, against a second one of plain processes. */
export const pool: Rows = {
  name: 'pool',
  async measure({ world, timing, quick }: Bench) {
    const plain: LimitProcess[] = [await startLimit('burn'), await startLimit('burn')];
    const second = world.deployment.services.tools[1]!;
    try {
      const read = await heavyRead(world);
      // Enough for each of the workers: a call takes them some ten times as long as an ordinary one.
      const heavy = { ...timing, warmUp: quick ? 50 : 400 };
      const one = await compare(burning(plain.slice(0, 1)), read, heavy);
      await second.restart();
      const two = await compare(burning(plain), read, heavy);
      const gains = (side: keyof Pair<Slice>) => two.map((pair, at) => rate(pair[side]) / rate(one[at]![side]));
      const [ours, theirs] = [gains('variant'), gains('baseline')];
      return [
        measuredRow({
          metric: 'pool of 2 workers against 1: gain, against that of plain processes',
          unit: 'times',
          value: median(ours),
          baseline: median(theirs),
          ratio: quartiles(ours.map((gain, at) => gain / theirs[at]!)),
          target: { atLeast: 0.85 },
          others: othersOf([...one, ...two].flatMap(({ baseline, variant }) => [baseline, variant])),
          note: `get_entry with bodyFormat blocks of a body of 390 kB: nearly all of its time is parsing (${Math.round(
            median(one.map(({ variant }) => variant.cpu)) / 1000,
          )} ms CPU a call)`,
        }),
      ];
    } finally {
      await second.kill('SIGTERM');
      for (const process of plain) await process.stop();
    }
  },
};

function rate({ callsPerSecond }: Slice): number {
  return callsPerSecond;
}

/** A small question with a small answer that takes long to find. */
async function heavyRead(world: World): Promise<Subject> {
  const parts = world.entries.map(({ body }) => body.slice(0, 9_000));
  let body = '';
  for (let at = 0; Buffer.byteLength(body) < 380_000; at++) body += `${parts[at % parts.length]}\n\n`;
  const fields = { title: 'A very long article' };
  await world.call('create_entry', { site: world.site, type: 'article', slug: 'very-long', fields, body });
  const args = { site: world.site, entry: 'very-long', bodyFormat: 'blocks', maxTokens: 100 };
  const subject = governed(world, { call: () => toolCall('get_entry', args, world.key), check: () => undefined });
  const right = await callOnce(subject);
  if (!Array.isArray(resultOf(right).data.blocks)) throw new WrongAnswer(right.slice(0, 300));
  return { ...subject, check: (text) => mustBe(text, right) };
}

function burning(processes: readonly LimitProcess[]): Subject {
  return {
    url: processes[0]!.url,
    urlOf: (index) => processes[index % processes.length]!.url,
    call: () => ({ headers: {}, body: '{}' }),
    check: () => undefined,
    pids: () => processes.map(({ pid }) => pid),
  };
}
