import { fail } from '@cloudhal/shared/errors';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import type { Log } from '@cloudhal/shared/log';
import type { Principal } from '@cloudhal/shared/policy';

type Key = Pick<Principal, 'kind' | 'keyId' | 'keyGeneration'>;

/** What is known of a key beyond its signed claims, as fast as it changes. */
export type KeyState = { revoked: boolean; outdated: boolean };

export type KeyStates = {
  /** Rejects with `policy_unavailable` where it cannot be known. */
  read(key: Key): Promise<KeyState>;
  isRevoked(keyId: string): Promise<boolean>;
};

/** The gateway writes `revoked:<key id>` and `key-generation:<key id>`. */
export function keyStates(keyValue: KeyValue, log: Log): KeyStates {
  async function known<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      log.warn({ err: error }, 'the state of a key could not be read');
      throw fail('policy_unavailable');
    }
  }

  return {
    async read(key) {
      if (key.kind === 'person' || key.keyId === undefined) return { revoked: false, outdated: false };
      const names = [`revoked:${key.keyId}`, `key-generation:${key.keyId}`];
      const [revoked, generation] = await known(keyValue.getMany(names));
      return {
        revoked: revoked !== undefined,
        outdated: generation !== undefined && !((key.keyGeneration ?? 0) >= Number(generation)),
      };
    },

    async isRevoked(keyId) {
      return (await known(keyValue.get(`revoked:${keyId}`))) !== undefined;
    },
  };
}
