import { appendRecords } from '@cloudhal/audit-service/append';
import { verifyRecord } from '@cloudhal/audit-service/verify';
import type { StreamRecord } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import { auditEvent } from '@cloudhal/shared/outbox';
import type { Bench, Rows } from '../bench.ts';
import { WrongAnswer } from '../harness.ts';
import { inPairs, median, ratios } from '../pairs.ts';
import { othersWhile } from '../processes.ts';
import { measuredRow } from '../report.ts';
import { openStore } from '../store.ts';

/** Events into their chain, durably: in the batches of audit-service, against a commit for each. */
export const recordIngest: Rows = {
  name: 'record ingest',
  async measure({ quick, timing, postgres }: Bench) {
    const database = await openStore(postgres.url, 'record');
    try {
      let sent = 0;
      const rate = (count: number, each: number) => async () => {
        const records = Array.from({ length: count }, () => readOf(sent++));
        const startedAt = performance.now();
        for (let from = 0; from < count; from += each) await appendRecords(database, records.slice(from, from + each));
        return count / ((performance.now() - startedAt) / 1000);
      };
      const pair = [rate(quick ? 40 : 200, 1), rate(quick ? 2_000 : 10_000, batch)] as const;
      for (const warmUp of pair) await warmUp();
      const { result: pairs, others } = await othersWhile([postgres.pid], () => inPairs(timing.pairs, ...pair));
      await mustHoldAll(database, sent);
      const perSecond = (events: number) => events;
      return [
        measuredRow({
          metric: 'record ingest against a commit for each event',
          unit: 'events/s',
          value: median(pairs.map(({ variant }) => variant)),
          baseline: median(pairs.map(({ baseline }) => baseline)),
          ratio: ratios(pairs, perSecond, perSecond),
          target: { atLeast: 20 },
          others,
          note: `batches of ${batch}; all ${sent} events are in the record, which verifies`,
        }),
      ];
    } finally {
      await database.close();
    }
  },
};

/** As many as append.ts puts into one commit, however many messages of the stream they came in. */
const batch = 200;

/** In the shape and of the length of a permit. */
const permit = ['h', 'p', 's'].map((part, at) => part.repeat([100, 800, 86][at]!)).join('.');

/** What a governed read leaves in the record. */
function readOf(number: number): StreamRecord<unknown> {
  const event = auditEvent('tool-service', {
    type: 'read',
    call_id: `call-${number}`,
    site: 'st_bench',
    actor: {
      type: 'agent',
      id: 'agent:bench',
      name: 'bench',
      key_id: 'bench',
      key_gen: 1,
      on_behalf_of: 'person:olga',
    },
    client: { name: 'bench', version: '1.0.0' },
    tool: 'get_entry',
    mode: 'edits',
    scopes_used: ['content:read'],
    decision: { result: 'allow', rule: 'mode', policy_version: '1' },
    args_hash: number.toString(16).padStart(64, '0'),
    args_redacted: { site: 'st_bench', entry: `passage-${number}` },
    details: { permit },
    outcome: { state: 'succeeded', duration_ms: 1.5 },
  });
  return { id: event.event_id, record: event };
}

async function mustHoldAll(database: Database, sent: number): Promise<void> {
  const [held] = await database.query<{ events: number }>('SELECT count(*) AS events FROM audit.event');
  const { ok } = await verifyRecord(database, { graceMs: 3_600_000 });
  if (held?.events !== sent || !ok)
    throw new WrongAnswer(`${sent} events were sent, ${held?.events} are held, verified: ${ok}`);
}
