import { timingSafeEqual } from 'node:crypto';
import type { Principal } from '@cloudhal/shared/policy';
import { hashKey, type KeyParts, type Pepper } from './key-format.ts';
import type { KeyRecord } from './key-records.ts';
import { rightsWithin } from './mint-rules.ts';

const nothing = Buffer.alloc(32);

/** Which secret of the key was sent. What is known of the key makes no difference to the time that the answer takes. */
export function matchSecret(
  record: KeyRecord | undefined,
  parts: KeyParts,
  peppers: readonly Pepper[],
): 'current' | 'previous' | undefined {
  const current = equals(parts, record?.hash, record?.pepperId, peppers);
  const previous = equals(parts, record?.previousHash, record?.previousPepperId, peppers);
  if (current) return 'current';
  return previous && record?.previousLive ? 'previous' : undefined;
}

function equals(
  parts: KeyParts,
  kept: Buffer | null | undefined,
  pepperId: string | null | undefined,
  peppers: readonly Pepper[],
): boolean {
  const pepper = peppers.find(({ id }) => id === pepperId);
  const hash = hashKey(parts, pepper ?? peppers[0]!);
  const same = timingSafeEqual(hash, kept?.length === 32 ? kept : nothing);
  return same && pepper !== undefined;
}

/** Who a call with this key runs as, within what its owner may do today; `undefined` once the owner is gone. */
export function principalOf(record: KeyRecord): Principal | undefined {
  if (record.ownerRole === null) return undefined;
  return {
    id: `agent:${record.id}`,
    kind: 'agent',
    name: record.name,
    owner: personId(record.ownerId),
    role: record.ownerRole,
    keyId: record.id,
    keyGeneration: record.generation,
    ...rightsWithin(record, record.ownerRole),
    sites: record.sites,
    remote: true,
    personAttested: record.personAttested,
    confirmTokenFallback: record.confirmTokenFallback,
  };
}

/** The principal id of a member: the developer at this machine is `local`, everybody else a person. */
export function personId(memberId: string): string {
  return memberId === 'local' ? 'local' : `person:${memberId}`;
}
