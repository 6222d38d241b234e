import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { events } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import type { Log } from '@cloudhal/shared/log';
import { readKey } from './key-records.ts';

export type KeyAnnouncer = {
  /** Tells the other services what the store says of a key now; call it after the change is committed. */
  announce(keyId: string): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Policy and tool workers read `revoked:<id>` and `key-generation:<id>` before they act; gateways listen to the event. The
 * database is the truth: while the KeyValue is away it is tried again, and gateways find out by themselves. Where the
 * KeyValue loses it, only permits of the last half minute go unchecked: each new call is looked up in the database.
 */
export function createKeyAnnouncer(deps: { bus: Bus; database: Database; keyValue: KeyValue; log: Log }): KeyAnnouncer {
  const { bus, database, keyValue, log } = deps;
  const stopping = new AbortController();
  const retrying = new Map<string, Promise<void>>();

  async function write(keyId: string): Promise<void> {
    const record = await readKey(database, keyId);
    if (!record || record.revoked || record.ownerRole === null) await keyValue.set(`revoked:${keyId}`, 'revoked');
    if (record) await raise(keyValue, `key-generation:${keyId}`, record.generation);
  }

  async function retry(keyId: string): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => undefined);
      try {
        await write(keyId);
        return;
      } catch (error) {
        log.warn({ err: error, keyId }, 'the change of a key could not be announced yet');
      }
    }
  }

  return {
    async announce(keyId) {
      bus.publish(events.keysChanged, { keyId });
      try {
        await write(keyId);
      } catch (error) {
        log.warn({ err: error, keyId }, 'the change of a key could not be announced, trying again');
        if (!retrying.has(keyId)) {
          retrying.set(
            keyId,
            retry(keyId).finally(() => retrying.delete(keyId)),
          );
        }
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all(retrying.values());
    },
  };
}

/** Only ever upwards, whichever replica comes last. */
async function raise(keyValue: KeyValue, key: string, value: number): Promise<void> {
  for (;;) {
    const present = await keyValue.get(key);
    if (present !== undefined && Number(present) >= value) return;
    if (await keyValue.compareAndSet(key, present, String(value))) return;
  }
}
