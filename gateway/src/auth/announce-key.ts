import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { events } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import type { Log } from '@cloudhal/shared/log';
import { hasScope, type Role, roleScopes } from '@cloudhal/shared/policy';
import { personId } from './check-key.ts';
import { readKey } from './key-records.ts';

export type KeyAnnouncer = {
  /** Tells the other services what the store says of a key now; call it after the change is committed. */
  announce(keyId: string): Promise<void>;
  /** The same of a member, for what they scheduled themselves: it runs only while their role publishes. */
  announcePerson(memberId: string): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Policy and tool workers read `revoked:<id>` and `key-generation:<id>` before they act; gateways listen to the event. The
 * database is the truth: while the KeyValue is away it is tried again, and gateways find out by themselves.
 */
export function createKeyAnnouncer(deps: { bus: Bus; database: Database; keyValue: KeyValue; log: Log }): KeyAnnouncer {
  const { bus, database, keyValue, log } = deps;
  const stopping = new AbortController();
  const retrying = new Map<string, Promise<void>>();

  async function writePerson(memberId: string): Promise<void> {
    const [member] = await database.query<{ role: Role }>('SELECT role FROM gateway.member WHERE id = $1', [memberId]);
    const name = `revoked:${personId(memberId)}`;
    if (member && hasScope(roleScopes[member.role], 'publish')) await keyValue.delete(name);
    else await keyValue.set(name, 'revoked');
  }

  async function writeKey(keyId: string): Promise<void> {
    const record = await readKey(database, keyId);
    if (!record || record.revoked || record.ownerRole === null) await keyValue.set(`revoked:${keyId}`, 'revoked');
    if (record) await raise(keyValue, `key-generation:${keyId}`, record.generation);
  }

  async function retry(keyId: string, write: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => undefined);
      try {
        await write();
        return;
      } catch (error) {
        log.warn({ err: error, keyId }, 'the change of a key could not be announced yet');
      }
    }
  }

  async function tell(id: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      log.warn({ err: error, keyId: id }, 'the change of a key could not be announced, trying again');
      if (!retrying.has(id)) {
        retrying.set(
          id,
          retry(id, write).finally(() => retrying.delete(id)),
        );
      }
    }
  }

  return {
    async announce(keyId) {
      bus.publish(events.keysChanged, { keyId });
      await tell(keyId, () => writeKey(keyId));
    },
    announcePerson: (memberId) => tell(personId(memberId), () => writePerson(memberId)),
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
