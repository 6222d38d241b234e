import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Permit, signPermit, verifyPermit } from './permit.ts';
import { openBox, sealBox } from './sealed-box.ts';
import { generateSigner, loadSecret, loadSigner, loadVerifier } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloudhal-test-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function put(content: string | Buffer): string {
  const path = join(folder, `secret-${count++}`);
  writeFileSync(path, content);
  return path;
}

describe('a secret of a file', () => {
  const secret = randomBytes(32);

  it.each([
    ['base64url', secret.toString('base64url')],
    ['base64url and a line break', `${secret.toString('base64url')}\n`],
    ['hex', secret.toString('hex')],
  ])('is read from %s', (_, text) => {
    expect(loadSecret(put(text))).toEqual(secret);
  });

  it('is read from bytes and from words', () => {
    expect(loadSecret(put(secret))).toEqual(secret);
    const words = 'correct horse battery staple, and some more';
    expect(loadSecret(put(words)).toString()).toBe(words);
  });

  it.each([
    ['an empty file', '', /0 bytes; it needs at least 32/],
    ['31 bytes', randomBytes(31).toString('hex'), /31 bytes/],
    ['43 characters of a short key', Buffer.from('short').toString('base64url'), /bytes/],
    ['changeme', 'changeme', /placeholder/],
    ['CHANGE_ME with more behind it', 'CHANGE_ME-0123456789012345678901234567890123456789', /placeholder/],
    ['a default secret', 'default-secret-default-secret-default-secret', /placeholder/],
    ['one letter many times', 'A'.repeat(64), /not random/],
    ['changeme many times', 'changeme'.repeat(8), /not random/],
    ['zeros', Buffer.alloc(32), /not random/],
  ])('%s is refused', (_, content, message) => {
    expect(() => loadSecret(put(content))).toThrow(message);
  });

  it('that is missing is refused by its path, and no error shows a secret', () => {
    expect(() => loadSecret(join(folder, 'nothing'))).toThrow(/nothing cannot be read \(ENOENT\)/);
    const short = put('hunter2');
    expect(() => loadSecret(short)).not.toThrow(/hunter2/);
  });

  it('may be asked to be longer', () => {
    expect(() => loadSecret(put(secret.toString('hex')), 64)).toThrow(/at least 64/);
  });
});

describe('keys of files', () => {
  const permit = { callId: 'c1', tool: 'publish' } as Permit;

  it('sign what the public keys of another file verify', () => {
    const made = generateSigner();
    const signer = loadSigner(put(JSON.stringify(made.privateJwk)));
    const other = generateSigner();
    const verifier = loadVerifier(put(JSON.stringify({ keys: [made.publicJwk, other.publicJwk] })));
    expect(verifyPermit(signPermit(permit, signer), verifier)).toEqual(permit);
    expect(verifyPermit(signPermit(permit, made.signer), verifier)).toEqual(permit);
    expect([...verifier.keys()]).toEqual([made.signer.kid, other.signer.kid]);
  });

  it('of strangers are not believed', () => {
    const verifier = loadVerifier(put(JSON.stringify({ keys: [generateSigner().publicJwk] })));
    expect(() => verifyPermit(signPermit(permit, generateSigner().signer), verifier)).toThrow(/no valid permit/);
  });

  it('for checkpoints are Ed25519', () => {
    const made = generateSigner('Ed25519');
    expect(loadSigner(put(JSON.stringify(made.privateJwk))).privateKey.asymmetricKeyType).toBe('ed25519');
    expect(loadVerifier(put(JSON.stringify({ keys: [made.publicJwk] }))).get(made.signer.kid)?.type).toBe('public');
  });

  it.each([
    [
      'a public key where a private one is needed',
      () => loadSigner(put(JSON.stringify(generateSigner().publicJwk))),
      /no private key/,
    ],
    [
      'a private key among public ones',
      () => loadVerifier(put(JSON.stringify({ keys: [generateSigner().privateJwk] }))),
      /holds a private key/,
    ],
    ['no keys', () => loadVerifier(put('{"keys":[]}')), /no public keys/],
    ['what is not JSON', () => loadVerifier(put('x')), /not JSON/],
    ['what is not a key', () => loadSigner(put('{"kty":"EC","crv":"P-256","d":"AA"}')), /not a valid JWK/],
    ['a missing file', () => loadSigner(join(folder, 'nothing')), /cannot be read/],
  ])('%s is refused', (_, load, message) => {
    expect(load).toThrow(message);
  });

  it('of one id twice are refused', () => {
    const { publicJwk } = generateSigner();
    expect(() => loadVerifier(put(JSON.stringify({ keys: [publicJwk, publicJwk] })))).toThrow(/same id/);
  });
});

describe('a sealed box', () => {
  const key = randomBytes(32);

  it('opens with its key and context, and looks different each time', () => {
    const sealed = sealBox(key, 'Grüße', 'approval:1');
    expect(openBox(key, sealed, 'approval:1').toString()).toBe('Grüße');
    expect(sealBox(key, 'Grüße', 'approval:1')).not.toBe(sealed);
    expect(openBox(key, sealBox(key, Buffer.alloc(0), 'x'), 'x')).toHaveLength(0);
  });

  it('stays closed with another key, in another place, or changed', () => {
    const sealed = sealBox(key, 'x', 'approval:1');
    expect(() => openBox(randomBytes(32), sealed, 'approval:1')).toThrow();
    expect(() => openBox(key, sealed, 'approval:2')).toThrow();
    const bytes = Buffer.from(sealed, 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => openBox(key, changed.toString('base64url'), 'approval:1')).toThrow();
    }
    for (const other of ['', 'AQ', `${sealed}=`, sealed.slice(0, -4)])
      expect(() => openBox(key, other, 'approval:1')).toThrow();
  });
});
