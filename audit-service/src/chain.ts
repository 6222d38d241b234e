import { createHash } from 'node:crypto';

/** The hash that the first event of each chain builds on. */
export const genesis: Buffer = Buffer.alloc(32);

const domain = Buffer.from('audit.v1\0');

/**
 * The hash of the event at `seq` (from 1) of a chain: SHA-256("audit.v1\0" ‖ prev ‖ seq ‖ "\0" ‖ body), where `prev` is the hash
 * before it (32 bytes), `seq` is decimal, and `body` is the event's canonical JSON (RFC 8785).
 */
export function eventHash(prev: Uint8Array, seq: number, body: string): Buffer {
  return createHash('sha256').update(domain).update(prev).update(`${seq}\0${body}`).digest();
}

/** The Merkle tree hash (RFC 6962) over leaves, which here are the hashes of a segment's events. */
export function merkleRoot(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest();
  let level = leaves.map((leaf) => node(0, leaf));
  // Pairing from the left and carrying an odd last one up is the same tree as splitting at the largest power of two.
  while (level.length > 1) {
    const next: Buffer[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i] as Buffer, level[i + 1]];
      next.push(right === undefined ? left : node(1, left, right));
    }
    level = next;
  }
  return level[0] as Buffer;
}

function node(prefix: 0 | 1, ...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(Buffer.of(prefix));
  for (const part of parts) hash.update(part);
  return hash.digest();
}
