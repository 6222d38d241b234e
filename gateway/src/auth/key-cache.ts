import { LRUCache } from 'lru-cache';
import type { KeyRecord } from './key-records.ts';

export type KeyCache = {
  /** The record, at most `maxAgeMs` old; callers at the same time share one look-up. Unknown ids are remembered as well. */
  get(keyId: string): Promise<KeyRecord | undefined>;
  /** The key changed: the next `get` looks it up. */
  forget(keyId: string): void;
};

type Entry = { startedAt: number; record: Promise<KeyRecord | undefined> };

/** Bounds what a revocation waits for, also where the event about it was lost: a record's age counts from before it was read. */
export function createKeyCache(
  load: (keyId: string) => Promise<KeyRecord | undefined>,
  { maxAgeMs = 900, max = 10_000 } = {},
): KeyCache {
  const entries = new LRUCache<string, Entry>({ max });
  return {
    get(keyId) {
      const known = entries.get(keyId);
      if (known && performance.now() - known.startedAt < maxAgeMs) return known.record;
      const entry: Entry = { startedAt: performance.now(), record: load(keyId) };
      entries.set(keyId, entry);
      entry.record.catch(() => {
        if (entries.peek(keyId) === entry) entries.delete(keyId);
      });
      return entry.record;
    },
    forget: (keyId) => void entries.delete(keyId),
  };
}
