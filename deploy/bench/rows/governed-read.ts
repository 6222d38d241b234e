import type { Bench, Rows } from '../bench.ts';
import { callOnce, compare, type Subject, sliceRow, WrongAnswer } from '../harness.ts';
import { startHops } from '../hops.ts';
import { startLimit } from '../limit-process.ts';
import { resultOf, toolCall } from '../mcp.ts';
import { type Entry, governed } from '../world.ts';

/** A read with everything that governs it: key, limit, policy, permit, record, SELECT. */
export const governedRead: Rows = {
  name: 'governed read',
  async measure(bench) {
    const entry = bench.world.entries[0]!;
    const read = await governedReads(bench, entry);
    return [...(await againstSdk(bench, read)), ...(await againstHops(bench, read, entry))];
  },
};

/** `get_entry` of one entry; each answer must be the bytes of the first, which was looked at. */
export async function governedReads({ world }: Pick<Bench, 'world'>, { slug, body }: Entry): Promise<Subject> {
  const subject = governed(world, {
    call: () => toolCall('get_entry', { site: world.site, entry: slug }, world.key),
    check: () => undefined,
  });
  const right = await callOnce(subject);
  if (resultOf(right).data.body !== body) throw new WrongAnswer('get_entry does not give the body that was written');
  return { ...subject, check: (text) => mustBe(text, right) };
}

export function mustBe(text: string, right: string): void {
  if (text !== right) throw new WrongAnswer(`an answer that is not the first one: ${text.slice(0, 300)}`);
}

async function againstSdk({ timing }: Bench, read: Subject) {
  const sdk = await startLimit('sdk100');
  try {
    const call = toolCall('tool_42', { entry: 'something' });
    const right = await callOnce({ url: sdk.url, call: () => call });
    if (!right.includes('hello something')) throw new WrongAnswer(right.slice(0, 300));
    const baseline = {
      url: sdk.url,
      call: () => call,
      check: (text: string) => mustBe(text, right),
      pids: () => [sdk.pid],
    };
    const pairs = await compare(baseline, read, timing);
    return [
      sliceRow('governed read against sdk100: p50', 'p50', pairs, { target: { atMost: 1 } }),
      sliceRow('governed read against sdk100: CPU', 'cpu', pairs, { target: { atMost: 1 } }),
    ];
  } finally {
    await sdk.stop();
  }
}

async function againstHops({ timing, ...bench }: Bench, read: Subject, { slug, body }: Entry) {
  const hops = await startHops('hops-read', bench, [{ slug, text: body }]);
  try {
    const call = { headers: {}, body: JSON.stringify({ slug }) };
    const right = await callOnce({ url: hops.url, call: () => call });
    if (JSON.parse(right).doc?.text !== body) throw new WrongAnswer(right.slice(0, 300));
    const baseline = { ...hops, call: () => call, check: (text: string) => mustBe(text, right) };
    const pairs = await compare(baseline, read, timing);
    return [
      sliceRow('governed read against hops-read: p50', 'p50', pairs, { target: { atMost: 1.3 } }),
      sliceRow('governed read against hops-read: CPU', 'cpu', pairs, { target: { atMost: 1.3 } }),
    ];
  } finally {
    await hops.stop();
  }
}
