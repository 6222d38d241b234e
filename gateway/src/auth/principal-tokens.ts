import { type Signer, signPrincipal } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import { LRUCache } from 'lru-cache';

export type PrincipalTokens = (principal: Principal) => string;

type Signed = { claims: string; token: string; signedAt: number };

/**
 * The signed form of a principal, for policy-service. It is valid for 30 s, so one signature serves 15 s of calls with
 * the same credential; a principal whose rights changed is signed anew at once.
 */
export function createPrincipalTokens(signer: Signer, { reuseMs = 15_000, max = 10_000 } = {}): PrincipalTokens {
  const cache = new LRUCache<string, Signed>({ max });
  return (principal) => {
    const claims = JSON.stringify(principal);
    const known = cache.get(principal.id);
    if (known?.claims === claims && performance.now() - known.signedAt < reuseMs) return known.token;
    const signed = { claims, token: signPrincipal(principal, signer), signedAt: performance.now() };
    cache.set(principal.id, signed);
    return signed.token;
  };
}
