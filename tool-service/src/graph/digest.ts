import { createHash } from 'node:crypto';
import type { Queryable } from '@cloudhal/shared/database';
import type { GraphNode, Track } from './node.ts';

/**
 * The digest of a track: the sum, modulo 2^256, of a SHA-256 of each node's id, content and presence. A sum, since it can be
 * kept by subtracting what a change ends and adding what it makes, and does not depend on the order.
 */
export const modulus = 1n << 256n;

type Counted = Pick<GraphNode, 'id' | 'hash' | 'deleted'>;

/** What one node version adds to its track's digest. */
export function weight({ id, hash, deleted }: Counted): bigint {
  const digest = createHash('sha256')
    .update(`${id}\n${hash}\n${deleted ? 'deleted' : 'present'}`)
    .digest('hex');
  return BigInt(`0x${digest}`);
}

/** What a set of replaced versions adds to the digest, as a number from 0 to 2^256 - 1. */
export function digestDelta(changes: Iterable<{ before?: Counted; after?: Counted }>): bigint {
  let sum = 0n;
  for (const { before, after } of changes) sum += (after ? weight(after) : 0n) - (before ? weight(before) : 0n);
  return ((sum % modulus) + modulus) % modulus;
}

/** A stored digest as 64 hexadecimal digits. */
export function digestText(stored: string | bigint): string {
  return BigInt(stored).toString(16).padStart(64, '0');
}

/** The digest of a track as it was at a snapshot, computed from every node. */
export async function recomputeDigest(sql: Queryable, site: string, track: Track, seq: number): Promise<string> {
  let sum = 0n;
  let last = '';
  for (;;) {
    const rows = await sql.query<Counted>(
      `SELECT node_id AS id, encode(hash, 'hex') AS hash, deleted FROM tools.ver
       WHERE site_id = $1 AND track = $2 AND node_id > $3 AND from_seq <= $4 AND (to_seq IS NULL OR to_seq > $4)
       ORDER BY node_id LIMIT 10000`,
      [site, track, last, seq],
    );
    for (const row of rows) sum += weight(row);
    last = rows.at(-1)?.id ?? '';
    if (rows.length < 10_000) return digestText(sum % modulus);
  }
}
