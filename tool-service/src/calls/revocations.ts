import { fail } from '@cloudhal/shared/errors';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import type { Permit } from '@cloudhal/shared/permit';

export type Revocations = {
  /** Throws `unauthorized` where the key was revoked or changed since the permit; what it knows is at most a second old. */
  check(principal: Permit['principal']): Promise<void>;
};

type Known = { at: number; state: Promise<{ revoked: boolean; generation: number }> };

const freshMs = 1_000;
const mostKnown = 10_000;

/** Reads what the gateway wrote about keys. A change is refused where that cannot be read. */
export function createRevocations(keyValue: KeyValue): Revocations {
  const known = new Map<string, Known>();

  function read(keyId: string): Known {
    const earlier = known.get(keyId);
    if (earlier && performance.now() - earlier.at < freshMs) return earlier;
    if (known.size >= mostKnown) known.clear();
    const state = keyValue
      .getMany([`revoked:${keyId}`, `key-generation:${keyId}`])
      .then(([revoked, generation]) => ({ revoked: revoked !== undefined, generation: Number(generation ?? 0) }));
    const entry = { at: performance.now(), state };
    known.set(keyId, entry);
    // What could not be read is not remembered.
    state.catch(() => known.get(keyId) === entry && known.delete(keyId));
    return entry;
  }

  return {
    async check({ keyId, keyGeneration = 0 }) {
      if (keyId === undefined) return;
      const { revoked, generation } = await read(keyId).state.catch(() => {
        throw fail('policy_unavailable');
      });
      if (revoked || generation > keyGeneration) throw fail('unauthorized');
    },
  };
}
