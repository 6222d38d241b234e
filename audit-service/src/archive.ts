import type { Bus, Stop, StreamRecord } from '@cloudhal/shared/bus/bus';
import { auditStream, events } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';
import { counter, histogram } from '@cloudhal/shared/metrics';
import { appendRecords } from './append.ts';

const appended = counter('cloudhal_audit_events_total', 'Events taken into the record.', ['result']);
const seconds = histogram('cloudhal_audit_batch_seconds', 'How long a batch of events took.');
const delay = histogram('cloudhal_audit_delay_seconds', 'From an event until it is in the record.');

/** As many ids as fit a notification of PostgreSQL, which carries events between local processes. */
const idsInOneEvent = 150;
const skewMs = 60_000;

/** Takes records from the stream into their chains, and tells the outboxes what is there. */
export async function startArchive(deps: { bus: Bus; database: Database; log: Log }): Promise<Stop> {
  const { bus, database, log } = deps;
  return bus.consume(auditStream, 'audit-service', async (arrived: StreamRecord<unknown>[]) => {
    const batch = arrived.flatMap(eventsOf);
    const stopTimer = seconds.startTimer();
    const { events: taken, repeated, rejected } = await appendRecords(database, batch);
    stopTimer();
    appended.inc({ result: 'appended' }, taken - rejected);
    appended.inc({ result: 'repeated' }, repeated);
    appended.inc({ result: 'rejected' }, rejected);
    if (rejected > 0) log.error({ rejected }, 'records could not be taken as they are; see audit.invalid');
    noteTimes(batch, log);
    for (let i = 0; i < batch.length; i += idsInOneEvent) {
      // Rejected ones too: what they hold will not change, and their outbox must not wait for ever.
      const eventIds = batch.slice(i, i + idsInOneEvent).map(idOf);
      bus.publish(events.auditArchived, { eventIds });
    }
  });
}

/** A message holds one event, or several that were recorded at once. */
function eventsOf({ id, record }: StreamRecord<unknown>): StreamRecord<unknown>[] {
  if (!Array.isArray(record)) return [{ id, record }];
  return record.map((event: unknown, index) => ({ id: `${id}.${index}`, record: event }));
}

function idOf({ id, record }: StreamRecord<unknown>): string {
  const own = (record as { event_id?: unknown } | null | undefined)?.event_id;
  return typeof own === 'string' ? own : id;
}

/** A clock that runs ahead is told of and changes nothing: the order is that of arrival. */
function noteTimes(batch: StreamRecord<unknown>[], log: Log): void {
  const now = Date.now();
  let ahead: { service: unknown; ms: number } | undefined;
  for (const { record } of batch) {
    const { ts, service } = (record ?? {}) as { ts?: unknown; service?: unknown };
    const ms = Date.parse(String(ts)) - now;
    if (Number.isNaN(ms)) continue;
    delay.observe(Math.max(0, -ms / 1000));
    if (ms > skewMs) ahead = { service, ms };
  }
  if (ahead !== undefined) log.warn({ ...ahead }, 'the clock of a service runs ahead');
}
