import { Agent, request } from 'node:http';
import { inPairs, median, type Pair, quantile, ratios } from './pairs.ts';
import { cpuBetween, cpuSeconds, hasProc, machineSeconds, othersShare } from './processes.ts';
import { measuredRow, type Row, type Target, voidRow } from './report.ts';

/** Something that answers calls over HTTP, and the processes that it takes to do so. */
export type Subject = {
  url: string;
  /** Where several processes take turns. */
  urlOf?(index: number): string;
  call(index: number): Call;
  /** Throws where an answer is not the right one. */
  check(text: string, index: number): void;
  pids(): number[];
};
export type Call = { headers: Record<string, string>; body: string };

/** How one slice of calls went. */
export type Slice = {
  calls: number;
  callsPerSecond: number;
  /** Milliseconds, as the client sees them. */
  p50: number;
  p99: number;
  /** CPU microseconds for each call, of all the subject's processes; NaN where it cannot be known. */
  cpu: number;
  /** The share of the machine that others used. */
  others: number;
};

export type Load = { inFlight: number } & ({ ms: number } | { calls: number });

/** An answer that was not the right one: the row says nothing then. */
export class WrongAnswer extends Error {}

const answerWithinMs = 30_000;

/** Calls with so many in flight, each over a connection that stays open, until the time or the number is reached. */
export async function drive(subject: Subject, load: Load): Promise<Slice> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.inFlight });
  try {
    const before = await readings(subject);
    const startedAt = performance.now();
    const until = 'ms' in load ? startedAt + load.ms : Number.POSITIVE_INFINITY;
    const most = 'calls' in load ? load.calls : Number.POSITIVE_INFINITY;
    const times: number[] = [];
    let next = 0;
    const client = async () => {
      while (next < most && performance.now() < until) {
        const index = next++;
        const sentAt = performance.now();
        const text = await send(agent, subject.urlOf?.(index) ?? subject.url, subject.call(index));
        times.push(performance.now() - sentAt);
        subject.check(text, index);
      }
    };
    await Promise.all(Array.from({ length: load.inFlight }, client));
    const seconds = (performance.now() - startedAt) / 1000;
    const after = await readings(subject);
    const used = cpuBetween(before.subject, after.subject);
    const own = used + cpuBetween(before.client, after.client);
    return {
      calls: times.length,
      callsPerSecond: times.length / seconds,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      cpu: hasProc ? (used / times.length) * 1e6 : Number.NaN,
      others: othersShare(after.machine - before.machine, own, seconds),
    };
  } finally {
    agent.destroy();
  }
}

async function readings(subject: Subject) {
  if (!hasProc) return { subject: new Map(), client: new Map(), machine: 0 };
  const [own, machine] = await Promise.all([cpuSeconds(subject.pids()), machineSeconds()]);
  const { user, system } = process.cpuUsage();
  return { subject: own, client: new Map([[process.pid, (user + system) / 1e6]]), machine };
}

/** One call, and its answer; an answer that is no 200 is a wrong one. */
function send(agent: Agent, url: string, { headers, body }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
        timeout: answerWithinMs,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(text);
          else reject(new WrongAnswer(`${response.statusCode}: ${text.slice(0, 300)}`));
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new WrongAnswer(`no answer within ${answerWithinMs} ms`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** One call on a connection of its own. */
export async function callOnce(subject: Pick<Subject, 'url' | 'call'>, index = 0): Promise<string> {
  const agent = new Agent();
  try {
    return await send(agent, subject.url, subject.call(index));
  } finally {
    agent.destroy();
  }
}

export type Timing = { pairs: number; ms: number; warmUp: number };

/** Slices of both in turn, after both answered the same number of calls: until then they mostly compile. */
export async function compare(
  baseline: Subject,
  variant: Subject,
  { pairs, ms, warmUp }: Timing,
  inFlight = 16,
): Promise<Pair<Slice>[]> {
  await drive(baseline, { inFlight, calls: warmUp });
  await drive(variant, { inFlight, calls: warmUp });
  return inPairs(
    pairs,
    () => drive(baseline, { inFlight, ms }),
    () => drive(variant, { inFlight, ms }),
  );
}

/** The row that one number of the slices gives. */
export function sliceRow(
  metric: string,
  number: 'p50' | 'cpu' | 'callsPerSecond',
  pairs: readonly Pair<Slice>[],
  more: { target?: Target; note?: string } = {},
): Row {
  const read = (slice: Slice) => slice[number];
  if (number === 'cpu' && !hasProc)
    return voidRow(metric, more.target, 'CPU time is not known here: there is no /proc.');
  return measuredRow({
    metric,
    unit: { p50: 'ms', cpu: 'µs CPU', callsPerSecond: 'calls/s' }[number],
    value: median(pairs.map(({ variant }) => read(variant))),
    baseline: median(pairs.map(({ baseline }) => read(baseline))),
    ratio: ratios(pairs, read, read),
    others: othersOf(pairs.flatMap(({ baseline, variant }) => [baseline, variant])),
    ...more,
  });
}

export function othersOf(slices: readonly Pick<Slice, 'others'>[]): number | undefined {
  return hasProc ? median(slices.map(({ others }) => others)) : undefined;
}
