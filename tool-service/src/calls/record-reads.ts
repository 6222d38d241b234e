import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { auditStream } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { putInOutbox } from '@cloudhal/shared/outbox';

/** Resolves once the line is held durably; else `audit_unavailable`, and the read is not answered. */
export type RecordRead = (event: AuditEvent) => Promise<void>;

/** Where reads are recorded first: on the stream, or, where the stream holds nothing itself, in the outbox. */
export function createRecordRead(deps: { bus: Bus; database: Database; first: 'stream' | 'outbox' }): RecordRead {
  const toOutbox = gather((events: AuditEvent[]) => putInOutbox(deps.database, 'tools', ...events));

  return async (event) => {
    try {
      if (deps.first === 'stream') {
        const recorded = await deps.bus.append(auditStream, event.event_id, event).then(
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

/** While one batch is being written, the next one gathers: many reads at once share a commit. */
function gather<T>(write: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let running: Promise<unknown> = Promise.resolve();
  return (item) => {
    waiting.push(item);
    next ??= running.then(() => {
      const batch = waiting;
      waiting = [];
      next = undefined;
      const writing = write(batch);
      running = writing.catch(() => undefined);
      return writing;
    });
    return next;
  };
}
