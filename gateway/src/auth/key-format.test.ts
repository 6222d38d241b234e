import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashKey, newKey, newKeyId, parseKey, peppers } from './key-format.ts';

describe('the format of an agent key', () => {
  const key = newKey(newKeyId());

  it('has a prefix for scanners, a public id, and a secret with its checksum', () => {
    expect(key).toMatch(/^chk_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/);
    expect(parseKey(key)?.keyId).toBe(key.slice(9, 19));
  });

  it('keeps one checksum for ever, so that keys made by older releases stay valid', () => {
    const known = `chk_live_${'0'.repeat(10)}_${'A'.repeat(43)}`;
    expect(parseKey(`${known}4621nx`)).toEqual({ keyId: '0'.repeat(10), secret: 'A'.repeat(43) });
    expect(parseKey(`${known}4621ny`)).toBeUndefined();
  });

  it('refuses every single mistyped character', () => {
    for (let at = 9; at < key.length; at++) {
      const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
      expect(parseKey(typo), `character ${at}`).toBeUndefined();
    }
  });

  it.each([
    '',
    'chk_live_',
    `${key} `,
    `${key}\n`,
    ` ${key}`,
    key.toUpperCase(),
    key.slice(0, -1),
    `${key}0`,
    key.replace('live', 'test'),
  ])('refuses %j', (text) => {
    expect(parseKey(text)).toBeUndefined();
  });

  it('makes a different key each time', () => {
    expect(new Set(Array.from({ length: 200 }, () => newKey('0123456789'))).size).toBe(200);
  });
});

describe('the hash of an agent key', () => {
  const parts = parseKey(newKey(newKeyId()))!;
  const [pepper, other] = peppers([randomBytes(32), randomBytes(32)]);

  it('depends on the secret, the id and the pepper', () => {
    const hash = hashKey(parts, pepper!);
    expect(hash).toHaveLength(32);
    expect(hashKey(parts, pepper!)).toEqual(hash);
    expect(hashKey({ ...parts, keyId: 'another001' }, pepper!)).not.toEqual(hash);
    expect(hashKey({ ...parts, secret: 'another' }, pepper!)).not.toEqual(hash);
    expect(hashKey(parts, other!)).not.toEqual(hash);
  });

  it('names peppers by an id that stays the same wherever they are loaded', () => {
    const secret = randomBytes(32);
    expect(peppers([secret])[0]!.id).toBe(peppers([Buffer.from(secret)])[0]!.id);
    expect(pepper!.id).not.toBe(other!.id);
  });
});
