import { createPublicKey } from 'node:crypto';
import { CloudhalError } from '@cloudhal/shared/errors';
import { signPrincipal } from '@cloudhal/shared/permit';
import { generateSigner } from '@cloudhal/shared/secrets';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { principalReader } from './principal.ts';
import { anAgent } from './testing/facts.ts';

const { signer } = generateSigner();
const verifier = new Map([[signer.kid, createPublicKey(signer.privateKey)]]);

function codeOf(read: () => unknown): string {
  try {
    read();
    return 'none';
  } catch (error) {
    return error instanceof CloudhalError ? error.code : String(error);
  }
}
function atMinutes(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
}
afterEach(() => {
  vi.useRealTimers();
});

describe('a signed principal', () => {
  it('is read, and read again, until it expires', () => {
    const read = principalReader(verifier);
    const token = signPrincipal(anAgent, signer);
    expect(read(token)).toEqual(anAgent);
    expect(read(token)).toBe(read(token));
    atMinutes(1);
    expect(codeOf(() => read(token))).toBe('permit_invalid');
  });

  it.each([
    ['ahead', 2],
    ['behind', -2],
  ])('from a clock that is far %s is not believed', (_, minutes) => {
    atMinutes(minutes);
    const token = signPrincipal(anAgent, signer);
    vi.useRealTimers();
    expect(codeOf(() => principalReader(verifier)(token))).toBe('clock_skew');
  });

  it('is not remembered for another one', () => {
    const read = principalReader(verifier);
    const tokens = Array.from({ length: 1_200 }, (_, i) => signPrincipal({ ...anAgent, id: `agent:${i}` }, signer));
    expect(tokens.map((token) => read(token).id)).toEqual(tokens.map((_, i) => `agent:${i}`));
    expect(read(tokens[0] ?? '').id).toBe('agent:0');
    expect(codeOf(() => read(`${tokens[0]}x`))).toBe('permit_invalid');
  });
});
