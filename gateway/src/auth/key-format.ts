import { createHash, createHmac, randomInt } from 'node:crypto';

/**
 * `chk_live_<id, 10>_<secret, 43><checksum, 6>`, in base62. The prefix is for secret scanners, the checksum refuses a
 * typing error without a look-up, the id names the key in logs and lists.
 */
const shape = /^chk_live_([0-9A-Za-z]{10})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export type KeyParts = { keyId: string; secret: string };

export function newKeyId(): string {
  return random(10);
}

/** A new secret for the key `keyId`; 256 bits of it are random. */
export function newKey(keyId: string): string {
  const body = `chk_live_${keyId}_${random(43)}`;
  return body + checksum(body);
}

/** The parts of a well-formed key; `undefined` for anything else, wrong checksums included. */
export function parseKey(text: string): KeyParts | undefined {
  const [, keyId, secret, sum] = shape.exec(text) ?? [];
  if (keyId === undefined || secret === undefined) return undefined;
  return checksum(`chk_live_${keyId}_${secret}`) === sum ? { keyId, secret } : undefined;
}

/** A secret that keys are hashed with at rest, and its id, which says nothing about it. */
export type Pepper = { id: string; key: Buffer };

/** The newest pepper comes first; older ones still open the keys that were hashed with them. */
export function peppers(secrets: readonly Buffer[]): Pepper[] {
  return secrets.map((key) => ({
    id: createHash('sha256').update('cloudhal.pepper').update(key).digest('hex').slice(0, 12),
    key,
  }));
}

/** What is kept of a key. The secret is 256 random bits, so that a fast hash is the right one. */
export function hashKey({ keyId, secret }: KeyParts, pepper: Pepper): Buffer {
  return createHmac('sha256', pepper.key).update(`${keyId}.${secret}`).digest();
}

function random(length: number): string {
  return Array.from({ length }, () => base62[randomInt(62)]).join('');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let sum = '';
  for (let digit = 0; digit < 6; digit++) {
    sum = base62[rest % 62] + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}

/** `zlib.crc32` is younger than the oldest Node that we run on. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
