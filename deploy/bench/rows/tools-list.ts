import type { Bench, Rows } from '../bench.ts';
import { callOnce, compare, sliceRow, WrongAnswer } from '../harness.ts';
import { startLimit } from '../limit-process.ts';
import { mcpRequest } from '../mcp.ts';
import { governed } from '../world.ts';
import { mustBe } from './governed-read.ts';

/** `tools/list` of everything that a key sees. */
export const toolsList: Rows = {
  name: 'tools/list',
  async measure({ world, timing }: Bench) {
    const sdk = await startLimit('sdk100');
    try {
      const theirs = mcpRequest('tools/list', {});
      const ours = mcpRequest('tools/list', {}, world.key);
      const variant = governed(world, { call: () => ours, check: () => undefined });
      const [theirList, ourList] = [await callOnce({ url: sdk.url, call: () => theirs }), await callOnce(variant)];
      const pairs = await compare(
        { url: sdk.url, call: () => theirs, check: (text) => mustBe(text, theirList), pids: () => [sdk.pid] },
        { ...variant, check: (text) => mustBe(text, ourList) },
        timing,
      );
      const note = `${countOf(ourList)} tools in ${kilobytes(ourList)} against ${countOf(theirList)} in ${kilobytes(theirList)}`;
      return [sliceRow("tools/list against sdk100's", 'callsPerSecond', pairs, { target: { atLeast: 15 }, note })];
    } finally {
      await sdk.stop();
    }
  },
};

function countOf(list: string): number {
  const { length } = JSON.parse(list).result?.tools ?? [];
  if (!length) throw new WrongAnswer(list.slice(0, 300));
  return length;
}

function kilobytes(text: string): string {
  return `${Math.round(Buffer.byteLength(text) / 1000)} kB`;
}
