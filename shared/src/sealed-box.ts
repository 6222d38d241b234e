import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const version = 1;

/**
 * Encrypts with AES-256-GCM. `context` says what the text is and where it belongs; it is not stored, and opening with
 * another one fails, so that a sealed value cannot be moved.
 */
export function sealBox(key: Buffer, plain: Uint8Array | string, context: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from([version]), iv, cipher.getAuthTag(), body]).toString('base64url');
}

/** Throws on a wrong key, another context, or anything that was changed. */
export function openBox(key: Buffer, sealed: string, context: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < 29 || bytes[0] !== version || bytes.toString('base64url') !== sealed) {
    throw new Error('This is not a sealed box.');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 13));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(13, 29));
  return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]);
}
