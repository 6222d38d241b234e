import type { Database } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';
import { LRUCache } from 'lru-cache';
import { hashKey, type KeyParts, type Pepper } from './key-format.ts';
import type { KeyRecord } from './key-records.ts';

export type KeyUsage = {
  /** A key was used; returns at once. */
  seen(record: KeyRecord, parts: KeyParts, matched: 'current' | 'previous'): void;
  stop(): Promise<void>;
};

/**
 * Notes when a key was last used, once a minute at most and beside the call. A key that is still kept under an older
 * pepper is kept under the newest one from then on, so that the old pepper can be retired.
 */
export function createKeyUsage(deps: { database: Database; peppers: readonly Pepper[]; log: Log }): KeyUsage {
  const { database, log } = deps;
  const pepper = deps.peppers[0]!;
  const noted = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
  const writing = new Set<Promise<unknown>>();

  function write(text: string, values: unknown[]): void {
    const work = database
      .query(text, values)
      .catch((error: unknown) => log.warn({ err: error }, 'the use of a key could not be noted'))
      .finally(() => writing.delete(work));
    writing.add(work);
  }

  return {
    seen(record, parts, matched) {
      if (noted.has(record.id)) return;
      noted.set(record.id, true);
      write(
        `UPDATE gateway.agent_key SET last_used_at = now()
         WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
        [record.id],
      );
      if (matched === 'current' && record.pepperId !== pepper.id) {
        write('UPDATE gateway.agent_key SET hash = $2, pepper_id = $3 WHERE id = $1 AND hash = $4', [
          record.id,
          hashKey(parts, pepper),
          pepper.id,
          record.hash,
        ]);
      }
    },
    async stop() {
      await Promise.all(writing);
    },
  };
}
