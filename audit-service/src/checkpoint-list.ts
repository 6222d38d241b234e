import type { KeyObject } from 'node:crypto';
import { type Checkpoint, noteDigest, openCheckpoint } from './checkpoint.ts';
import type { Problem } from './walk.ts';

/** The checkpoints of a chain up to the first that is not signed by one of the keys or does not follow the one before it. */
export function openCheckpoints(
  chain: string,
  notes: readonly string[],
  publicKeys: readonly KeyObject[],
): { checkpoints: Checkpoint[]; problem?: Problem } {
  const checkpoints: Checkpoint[] = [];
  let before: string | undefined;
  for (const note of notes) {
    const checkpoint = openCheckpoint(note, publicKeys);
    const last = checkpoints.at(-1);
    const seq = (last?.seq ?? 0) + 1;
    if (checkpoint?.chain !== chain || checkpoint.from > checkpoint.seq) {
      const detail = 'a checkpoint after this one is not signed with a known key';
      return { checkpoints, problem: { seq, kind: 'checkpoint_sig', detail } };
    }
    const follows =
      before === undefined || (checkpoint.from === seq && checkpoint.previous?.equals(noteDigest(before)) === true);
    if (!follows) {
      const detail = `the checkpoint at ${checkpoint.seq} does not follow the one before it`;
      return { checkpoints, problem: { seq, kind: 'checkpoint_sig', detail } };
    }
    checkpoints.push(checkpoint);
    before = note;
  }
  return { checkpoints };
}
