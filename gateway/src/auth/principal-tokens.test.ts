import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyPrincipal } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import { describe, expect, it } from 'vitest';
import { localPrincipal } from './local-principal.ts';
import { createPrincipalTokens } from './principal-tokens.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signer = { kid: 'k1', privateKey };
const verifier = new Map([['k1', publicKey]]);
const principal: Principal = localPrincipal({ mode: 'edits', scopes: ['content:read'] });

describe('the signed form of a principal', () => {
  it('is what policy-service verifies', () => {
    expect(verifyPrincipal(createPrincipalTokens(signer)(principal), verifier)).toEqual(principal);
  });

  it('is signed once for many calls', () => {
    const token = createPrincipalTokens(signer);
    expect(token(principal)).toBe(token({ ...principal }));
  });

  it('is signed anew when it grows old', async () => {
    const token = createPrincipalTokens(signer, { reuseMs: 5 });
    const first = token(principal);
    await sleep(10);
    expect(token(principal)).not.toBe(first);
  });

  it('follows a change of rights at once', () => {
    const token = createPrincipalTokens(signer);
    token(principal);
    expect(verifyPrincipal(token({ ...principal, mode: 'plan' }), verifier).mode).toBe('plan');
  });
});
