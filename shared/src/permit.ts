import { createHash, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { canonicalJson } from './canonical-json.ts';
import { fail } from './errors.ts';
import type { Mode, Principal, Scopes } from './policy.ts';

/** The state of the site that a decision saw; the change is refused where it has moved since. */
export type Base = {
  /** The revs of the nodes that the call changes. */
  revs?: Record<string, number>;
  /** The digest of the computed diff, for a publish or rollback. */
  diff?: string;
};

/** An allow. Signed by policy-service; without a valid one tool-service runs nothing. */
export type Permit = {
  callId: string;
  tool: string;
  /** Of the coerced arguments, see `argumentsHash`. */
  argumentsHash: string;
  principal: Pick<Principal, 'id' | 'kind' | 'name' | 'owner' | 'keyId' | 'keyGeneration'>;
  /** The site's id; absent for calls that concern none. */
  site?: string;
  /** The sites that the principal may see. */
  sites: readonly string[] | '*';
  /** The scopes of the principal narrowed by the declared skill. */
  scopes: Scopes;
  skill?: { name: string; digest: string };
  mode: Mode;
  /** The mode is one that a person granted for a while, and no person approved the call itself. */
  elevated?: boolean;
  /** The policy rule that decided. */
  rule: string;
  policyVersion: string;
  approval?: { id: string; channel: string; decidedBy: string };
  /** The only inbox that the answer may go to. */
  answerTo: string;
  base?: Base;
  idempotencyKey?: string;
  client?: { name?: string; version?: string };
  /** All of the principal, only in permits of tools that ask policy-service (`get_mode`, `explain_policy`, `check_readiness` …). */
  asker?: Principal;
};

/** A signing key and its id; the private half never leaves its service. */
export type Signer = { kid: string; privateKey: KeyObject };
/** Public keys by id. */
export type Verifier = ReadonlyMap<string, KeyObject>;

const permitAudience = 'tool-service';
const principalAudience = 'policy-service';

/** Seconds that a permit, or the signed form of a principal, is valid. */
export const permitSeconds = 30;

/** SHA-256, in hex, of the canonical JSON of a call's coerced arguments without `confirmToken`. */
export function argumentsHash(args: Record<string, unknown>): string {
  const { confirmToken: _, ...bound } = args;
  return createHash('sha256').update(canonicalJson(bound)).digest('hex');
}

export function signPermit(permit: Permit, signer: Signer): string {
  return sign(permit, permitAudience, signer);
}

/** The permit of a valid token; else `permit_invalid`. Who it concerns and what it covers is the caller's to compare. */
export function verifyPermit(token: string, verifier: Verifier, now = new Date()): Permit {
  return verify<Permit>(token, permitAudience, verifier, { clockTimestamp: Math.floor(now.getTime() / 1000) });
}

/** When a permit that `verifyPermit` took ends, in seconds since 1970: for a store that judges by its own clock. */
export function permitExpiry(token: string): number {
  const payload = jwt.decode(token);
  const exp = typeof payload === 'object' ? payload?.exp : undefined;
  if (exp === undefined) throw fail('permit_invalid');
  return exp;
}

/** The same of a permit that may have expired: what was permitted once, not leave to do anything. */
export function verifyPastPermit(token: string, verifier: Verifier): Permit {
  return verify<Permit>(token, permitAudience, verifier, { ignoreExpiration: true });
}

export function signPrincipal(principal: Principal, signer: Signer): string {
  return sign(principal, principalAudience, signer);
}

export function verifyPrincipal(token: string, verifier: Verifier): Principal {
  return verify<Principal>(token, principalAudience, verifier);
}

function sign(claims: object, audience: string, signer: Signer): string {
  return jwt.sign({ claims }, signer.privateKey, {
    algorithm: 'ES256',
    keyid: signer.kid,
    audience,
    expiresIn: permitSeconds,
  });
}

function verify<T>(
  token: string,
  audience: string,
  verifier: Verifier,
  options: { ignoreExpiration?: boolean; clockTimestamp?: number } = {},
): T {
  try {
    const kid = jwt.decode(token, { complete: true })?.header.kid;
    const key = kid === undefined ? undefined : verifier.get(kid);
    if (key === undefined) throw fail('permit_invalid');
    const verified = jwt.verify(token, key, { ...options, algorithms: ['ES256'], audience, clockTolerance: 2 });
    if (typeof verified === 'string' || typeof verified.claims !== 'object') throw fail('permit_invalid');
    return verified.claims as T;
  } catch {
    throw fail('permit_invalid');
  }
}
