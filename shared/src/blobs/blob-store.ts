import { createHash } from 'node:crypto';
import { fail } from '../errors.ts';

/** What a blob must turn out to be. */
export type Expected = {
  bytes: number;
  /** In hex. */
  sha256: string;
};

export type Blob = { bytes: number; content: AsyncIterable<Uint8Array> };

/**
 * Files by key, in PostgreSQL or in S3. What is stored under a key never changes: `uploads/<id>` is what somebody sent,
 * until it has been looked at, and `blobs/<sha256>` what was made of it.
 */
export interface BlobStore {
  /**
   * Stores what comes, as it comes. Content of another size or hash is `validation_failed`, and then there is nothing under
   * the key; what is there already stays.
   */
  write(key: string, content: AsyncIterable<Uint8Array>, expected: Expected): Promise<void>;
  read(key: string): Promise<Blob | undefined>;
  has(key: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

export function blobKey(sha256: string): string {
  return `blobs/${sha256}`;
}

export function uploadKey(id: string): string {
  return `uploads/${id}`;
}

/** The hash of bytes that are all here, in hex. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Passes content on while it is measured. Its last piece goes on only when all of it was right, so a store never has a whole that is wrong. */
export async function* verified(
  content: AsyncIterable<Uint8Array>,
  { bytes, sha256 }: Expected,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let seen = 0;
  let held: Uint8Array | undefined;
  for await (const piece of content) {
    seen += piece.length;
    if (seen > bytes) throw fail('validation_failed', { path: 'content', expected: `${bytes} bytes; there are more` });
    hash.update(piece);
    if (held) yield held;
    held = piece;
  }
  if (seen < bytes)
    throw fail('validation_failed', { path: 'content', expected: `${bytes} bytes; there were only ${seen}` });
  if (hash.digest('hex') !== sha256)
    throw fail('validation_failed', { path: 'content', expected: `content with the SHA-256 ${sha256}` });
  if (held) yield held;
}

/** Bytes that are all here, as content. */
export async function* pieces(bytes: Uint8Array, size = 256 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** All of a blob at once: only where something bounds its size. */
export async function readWhole({ bytes, content }: Blob, maxBytes: number): Promise<Buffer> {
  if (bytes > maxBytes) throw fail('limit_exceeded', { what: 'The file', max: `${maxBytes} bytes` });
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
}
