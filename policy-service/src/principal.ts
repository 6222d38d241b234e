import { fail } from '@cloudhal/shared/errors';
import { type Verifier, verifyPrincipal } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import jwt from 'jsonwebtoken';

const maxSkewSeconds = 60;
const maxKept = 1_000;

/**
 * Reads principals that the gateway signed. It signs one for each credential and sends it with many calls, so what was
 * verified is kept until it expires.
 */
export function principalReader(verifier: Verifier): (token: string) => Principal {
  const verified = new Map<string, { principal: Principal; expires: number }>();
  return (token) => {
    const now = Date.now() / 1000;
    const known = verified.get(token);
    if (known && known.expires > now) return known.principal;
    const times = jwt.decode(token, { json: true });
    // The gateway sends none that is so old.
    if ((times?.exp ?? Number.POSITIVE_INFINITY) < now - maxSkewSeconds) throw fail('clock_skew');
    const principal = verifyPrincipal(token, verifier);
    if ((times?.iat ?? Number.POSITIVE_INFINITY) > now + maxSkewSeconds) throw fail('clock_skew');
    verified.delete(token);
    if (verified.size >= maxKept) verified.delete(verified.keys().next().value ?? '');
    verified.set(token, { principal, expires: times?.exp ?? 0 });
    return principal;
  };
}
