import { fail } from '@cloudhal/shared/errors';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import type { Log } from '@cloudhal/shared/log';
import type { Principal } from '@cloudhal/shared/policy';
import { taintUntil } from './taint.ts';

type Key = Pick<Principal, 'id' | 'kind' | 'keyId' | 'keyGeneration'>;

/** What is known of a key beyond its signed claims, as fast as it changes. */
export type KeyState = { revoked: boolean; outdated: boolean; taintedUntil?: Date };

export type KeyStates = {
  /** Rejects with `policy_unavailable` where it cannot be known. */
  read(key: Key): Promise<KeyState>;
  isRevoked(keyId: string): Promise<boolean>;
  /** Taints a key. Resolved before a call goes on whose result carries text from strangers. */
  taint(key: Key, minutes: number): Promise<void>;
};

/** The gateway writes `revoked:<key id>` and `key-generation:<key id>`; `taint:<key id>` is written here. */
export function keyStates(keyValue: KeyValue, log: Log): KeyStates {
  async function known<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      log.warn({ err: error }, 'the state of a key could not be read or written');
      throw fail('policy_unavailable');
    }
  }

  return {
    async read(key) {
      if (key.kind === 'person') return { revoked: false, outdated: false };
      const names = [taintName(key), ...(key.keyId ? [`revoked:${key.keyId}`, `key-generation:${key.keyId}`] : [])];
      const [taint, revoked, generation] = await known(keyValue.getMany(names));
      return {
        revoked: revoked !== undefined,
        outdated: generation !== undefined && !((key.keyGeneration ?? 0) >= Number(generation)),
        ...(taint !== undefined && { taintedUntil: new Date(taint) }),
      };
    },

    async isRevoked(keyId) {
      return (await known(keyValue.get(`revoked:${keyId}`))) !== undefined;
    },

    async taint(key, minutes) {
      if (key.kind === 'person') return;
      const name = taintName(key);
      // A few times: calls of one key at once each try to set it.
      for (let attempt = 0; attempt < 10; attempt++) {
        const present = await known(keyValue.get(name));
        const now = new Date();
        const until = taintUntil(present === undefined ? undefined : new Date(present), minutes, now);
        if (until === undefined) return;
        const ttlMs = until.getTime() - now.getTime();
        if (await known(keyValue.compareAndSet(name, present, until.toISOString(), { ttlMs }))) return;
      }
      throw fail('policy_unavailable');
    },
  };
}

function taintName({ keyId, id }: Key): string {
  return `taint:${keyId ?? id}`;
}
