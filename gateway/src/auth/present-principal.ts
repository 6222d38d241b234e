import type { Queryable } from '@cloudhal/shared/database';
import { personId, principalOf } from './check-key.ts';
import { readKey } from './key-records.ts';
import type { Members } from './members.ts';
import { personPrincipal } from './people.ts';
import type { PrincipalTokens } from './principal-tokens.ts';

/** The signed principal of an agent or a person as they are now; `undefined` once the key, its owner or the person is gone. */
export type PresentPrincipal = (principalId: string) => Promise<string | undefined>;

export function createPresentPrincipal(deps: {
  database: Queryable;
  members: Pick<Members, 'find'>;
  principalTokens: PrincipalTokens;
}): PresentPrincipal {
  const { database, members, principalTokens } = deps;

  async function agent(keyId: string) {
    const record = await readKey(database, keyId);
    return record?.live ? principalOf(record) : undefined;
  }

  async function person(principalId: string) {
    const member = await members.find(principalId.replace(/^person:/, ''));
    return member && personId(member.id) === principalId ? personPrincipal(member) : undefined;
  }

  return async (principalId) => {
    const [, keyId] = /^agent:(.+)$/s.exec(principalId) ?? [];
    const principal = keyId === undefined ? await person(principalId) : await agent(keyId);
    return principal && principalTokens(principal);
  };
}
