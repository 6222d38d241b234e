import { describe, expect, it } from 'vitest';
import { redact, redactNote } from './redact.ts';

describe('arguments in the record', () => {
  it('keep what says what the call is about', () => {
    const args = { entry: 'en_1', rev: 3, set: { title: 'A title', draft: true }, note: 'Because of the law.' };
    expect(redact(args)).toEqual(args);
  });

  it('lose their long texts but keep length and hash', () => {
    const body = 'x'.repeat(1000);
    expect(redact({ body })).toEqual({ body: { length: 1000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect(redact({ title: 'y'.repeat(200) })).toEqual({ title: 'y'.repeat(200) });
    expect(redact({ title: 'y'.repeat(301) })).toEqual({ title: { length: 301, sha256: expect.any(String) } });
  });

  it.each([
    `chk_live_abcdefghij_${'A'.repeat(49)}`,
    `ghp_${'a'.repeat(36)}`,
    'github_pat_11ABCDEFG0abcdefghijkl',
    'sk-proj-abcdefghijklmnop',
    'AKIAIOSFODNN7EXAMPLE',
    'xoxb-123456789012-abc',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
    '-----BEGIN RSA PRIVATE KEY-----',
  ])('lose the secret %s, wherever it stands', (secret) => {
    const kept = JSON.stringify([
      redact({ a: { b: [`see ${secret}`] }, title: secret, [secret]: 1 }),
      redactNote(`x ${secret}`),
    ]);
    expect(kept).not.toContain(secret);
    expect(kept).toContain('[secret]');
  });

  it('never hold a confirm token', () => {
    expect(redact({ entry: 'en_1', confirmToken: 'v1.k.p.m' })).toEqual({ entry: 'en_1' });
  });

  it('stay small however much was sent', () => {
    const items = Array.from({ length: 5000 }, (_, i) => ({ id: `n${i}` }));
    let deep: object = {};
    for (let i = 0; i < 60; i++) deep = { deep };
    expect(JSON.stringify(redact({ items, deep })).length).toBeLessThan(2_000);
  });
});
