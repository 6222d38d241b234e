import type { AuditEvent } from '@cloudhal/shared/audit-event';
import { type Bus, BusError } from '@cloudhal/shared/bus/bus';
import { auditStream } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { putInOutbox } from '@cloudhal/shared/outbox';

/** Resolves once the line is held durably; else `audit_unavailable`, and the read is not answered. */
export type RecordRead = (event: AuditEvent) => Promise<void>;

/** Where reads are recorded first: on the stream, or, where the stream holds nothing itself, in the outbox. */
export function createRecordRead(deps: { bus: Bus; database: Database; first: 'stream' | 'outbox' }): RecordRead {
  const toOutbox = gather((events: AuditEvent[]) => putInOutbox(deps.database, 'tools', ...events));
  const toStream = gather((events: AuditEvent[]) =>
    deps.bus.append(auditStream, events[0]!.event_id, events.length === 1 ? events[0]! : events),
  );

  return async (event) => {
    try {
      if (deps.first === 'stream') {
        const recorded = await toStream(event).then(
          () => true,
          () => false,
        );
        if (recorded) return;
      }
      await toOutbox(event);
    } catch (error) {
      throw Object.assign(fail('audit_unavailable'), { cause: error });
    }
  };
}

/** So many lines fit one message of the bus, whatever is in them. */
const mostAtOnce = 32;

/** While one batch is being written, the next one gathers: many reads at once share a commit, or a message. */
function gather<T>(write: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  const waiting: { item: T; done: () => void; broke: (error: unknown) => void }[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostAtOnce);
      try {
        await write(batch.map(({ item }) => item));
        for (const { done } of batch) done();
      } catch (error) {
        if (batch.length === 1 || error instanceof BusError) for (const { broke } of batch) broke(error);
        // One of them was refused, and the others must not go with it.
        else await Promise.all(batch.map(({ item, done, broke }) => write([item]).then(done, broke)));
      }
    }
    writing = false;
  }

  return (item) =>
    new Promise((done, broke) => {
      waiting.push({ item, done, broke });
      if (!writing) void writeAll();
    });
}
