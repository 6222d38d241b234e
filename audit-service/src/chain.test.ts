import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventHash, genesis, merkleRoot } from './chain.ts';

const sha256 = (...parts: (Buffer | string)[]) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((p) => Buffer.from(p))))
    .digest();

test('an event is hashed with what came before it, its number and its exact body', () => {
  const body = '{"type":"read"}';
  expect(eventHash(genesis, 12, body)).toEqual(sha256('audit.v1\0', genesis, '12', '\0', body));
  const others = [eventHash(sha256('x'), 12, body), eventHash(genesis, 13, body), eventHash(genesis, 1, `2\0${body}`)];
  for (const other of others) expect(other).not.toEqual(eventHash(genesis, 12, body));
});

test('the root is that of RFC 6962', () => {
  // The tree's definition, which splits at the largest power of two below the number of leaves.
  function root(leaves: Buffer[]): Buffer {
    if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0]!);
    const k = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1);
    return sha256(Buffer.of(1), root(leaves.slice(0, k)), root(leaves.slice(k)));
  }
  for (const size of [1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 100]) {
    const leaves = Array.from({ length: size }, (_, i) => sha256(`leaf ${i}`));
    expect(merkleRoot(leaves)).toEqual(root(leaves));
  }
  expect(merkleRoot([]).toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});
