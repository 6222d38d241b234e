import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Signer, Verifier } from './permit.ts';

/** A secret of a file: base64url text, hex, or the bytes themselves. Refuses one that is missing, short or a placeholder. */
export function loadSecret(file: string, minBytes = 32): Buffer {
  const content = read(file, 'secret');
  const text = content.toString('utf8').trim();
  if (/^(?:change[-_ ]?(?:me|this)|default|secret|password|example|insecure|replace[-_ ]?me)\b/i.test(text)) {
    throw new Error(`The secret in ${file} is a placeholder. ${howToMake}`);
  }
  const secret = decodeSecret(text) ?? content;
  if (secret.length < minBytes) {
    throw new Error(`The secret in ${file} has ${secret.length} bytes; it needs at least ${minBytes}. ${howToMake}`);
  }
  if (new Set(secret).size < 8) throw new Error(`The secret in ${file} is not random. ${howToMake}`);
  return secret;
}

const howToMake = 'Make one with "cloudhal secrets init".';

function decodeSecret(text: string): Buffer | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9_-]+$/.test(text)) return Buffer.from(text, 'base64url');
  return undefined;
}

/** A private key for permits or principals (ES256), or for checkpoints (Ed25519), from a JWK file with a `kid`. */
export function loadSigner(privateJwkFile: string): Signer {
  const jwk = readJson(privateJwkFile) as JsonWebKey & { kid?: string };
  if (typeof jwk.d !== 'string') throw new Error(`${privateJwkFile} holds no private key. ${howToMake}`);
  const privateKey = parseKey(privateJwkFile, () => createPrivateKey({ key: jwk, format: 'jwk' }));
  return { kid: jwk.kid ?? thumbprint(jwk), privateKey };
}

/** The public keys of a JWKS file, by `kid`. */
export function loadVerifier(jwksFile: string): Verifier {
  const { keys } = readJson(jwksFile) as { keys?: (JsonWebKey & { kid?: string })[] };
  if (!Array.isArray(keys) || keys.length === 0) throw new Error(`${jwksFile} holds no public keys. ${howToMake}`);
  const verifier = new Map(
    keys.map((jwk) => {
      if (jwk.d !== undefined) throw new Error(`${jwksFile} holds a private key: it is for public keys only.`);
      const key = parseKey(jwksFile, () => createPublicKey({ key: jwk, format: 'jwk' }));
      return [jwk.kid ?? thumbprint(jwk), key] as const;
    }),
  );
  if (verifier.size !== keys.length) throw new Error(`${jwksFile} holds two keys of the same id.`);
  return verifier;
}

/** A new key pair with an id made from the key itself (RFC 7638). */
export function generateSigner(kind: 'ES256' | 'Ed25519' = 'ES256'): {
  signer: Signer;
  publicJwk: JsonWebKey;
  privateJwk: JsonWebKey;
} {
  const { privateKey, publicKey } =
    kind === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const kid = thumbprint(publicKey.export({ format: 'jwk' }));
  const facts = { kid, use: 'sig', alg: kind === 'ES256' ? 'ES256' : 'EdDSA' };
  return {
    signer: { kid, privateKey },
    publicJwk: { ...publicKey.export({ format: 'jwk' }), ...facts },
    privateJwk: { ...privateKey.export({ format: 'jwk' }), ...facts },
  };
}

/** What of a private key everyone may know. */
export function publicHalf({ kid, alg, use, kty, crv, x, y }: JsonWebKey): JsonWebKey {
  return { kid, alg, use, kty, crv, x, y };
}

function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  const members = y === undefined ? { crv, kty, x } : { crv, kty, x, y };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 16);
}

function parseKey<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new Error(`A key in ${file} is not a valid JWK.`);
  }
}

function readJson(file: string): unknown {
  const content = read(file, 'key file');
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    throw new Error(`${file} is not JSON.`);
  }
}

function read(file: string, what: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`The ${what} ${file} cannot be read (${(error as NodeJS.ErrnoException).code}). ${howToMake}`);
  }
}
