import type { KeyObject } from 'node:crypto';
import type { Queryable } from '@cloudhal/shared/database';
import { genesis, merkleRoot } from './chain.ts';
import { noteDigest, readCheckpoint, signCheckpoint } from './checkpoint.ts';
import { parseEvent, rowsOf } from './verify.ts';
import { ChainWalk, type Problem } from './walk.ts';

/** One checkpoint covers at most so many events; a longer stretch gets several. */
const maxSegment = 10_000;

export type Signed = { note: string; seq: number } | { problem: Problem };

/**
 * Signs and stores the next checkpoint of a chain, at most up to `head`; undefined where another process is at it or has
 * done it. The segment is recomputed first: a signature is never put under a chain that does not add up.
 */
export async function signSegment(
  tx: Queryable,
  chain: string,
  head: number,
  key: KeyObject,
): Promise<Signed | undefined> {
  const [lock] = await tx.query("SELECT pg_try_advisory_xact_lock(hashtextextended('audit.sign ' || $1, 0)) AS got", [
    chain,
  ]);
  if (!lock?.got) return undefined;
  const last = await lastCheckpoint(tx, chain);
  const seq = Math.min(head, last.seq + maxSegment);
  if (seq <= last.seq) return undefined;
  const hashes: Buffer[] = [];
  const walk = new ChainWalk({ start: { seq: last.seq, hash: last.head }, partial: { to: true } });
  for await (const row of rowsOf(tx, chain, last.seq + 1, seq)) {
    const problem = walk.take(row, parseEvent(row.body));
    if (problem !== undefined) return { problem };
    hashes.push(row.hash);
  }
  if (walk.seq < seq) return { problem: { seq: walk.seq + 1, kind: 'gap', detail: `the head says ${head}` } };
  const { hash } = walk;
  const note = signCheckpoint(
    { chain, seq, root: merkleRoot(hashes), from: last.seq + 1, head: hash, previous: last.digest, at: now() },
    key,
  );
  await tx.query('INSERT INTO audit.checkpoint (part, seq, note) VALUES ($1, $2, $3)', [chain, seq, note]);
  return { note, seq };
}

async function lastCheckpoint(
  tx: Queryable,
  chain: string,
): Promise<{ seq: number; head: Buffer; digest: Buffer | undefined }> {
  const [row] = await tx.query('SELECT note FROM audit.checkpoint WHERE part = $1 ORDER BY seq DESC LIMIT 1', [chain]);
  const checkpoint = row === undefined ? undefined : readCheckpoint(row.note);
  if (row === undefined || checkpoint === undefined) return { seq: 0, head: genesis, digest: undefined };
  return { seq: checkpoint.seq, head: checkpoint.head, digest: noteDigest(row.note) };
}

function now(): string {
  return new Date().toISOString();
}
