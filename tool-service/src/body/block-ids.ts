import { createHash } from 'node:crypto';

/** An id for a block that has none: follows from its text, and differs from every id in `taken`, to which it is added. */
export function newBlockId(text: string, taken: Set<string>): string {
  // The same text again and again: the growing set tells them apart without trying every earlier one.
  for (let salt = 0; ; salt = Math.max(salt + 1, taken.size)) {
    const id = `b_${createHash('sha256').update(`${salt}\n${text}`).digest('hex').slice(0, 8)}`;
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}
