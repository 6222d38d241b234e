import { fail } from '@cloudhal/shared/errors';
import { refuseEmbargoed } from '../embargoes/embargoes.ts';
import type { Draft } from '../graph/draft.ts';
import type { Track } from '../graph/node.ts';

export type Rollback = {
  snapshot: string;
  tracks: readonly Track[];
  /** The snapshot that last changed what is live, as the caller knows it; needed where the live track is meant. */
  expectLive: string | undefined;
};

/**
 * Makes tracks what they were at a snapshot, node for node and byte for byte, by new versions with the old content. Nothing
 * that came since is lost, and the digests prove that it is exact.
 */
export async function rollBack(draft: Draft, { snapshot: id, tracks, expectLive }: Rollback, now: Date): Promise<void> {
  const snapshot = await draft.snapshot(id);
  if (tracks.includes('live')) {
    if (expectLive === undefined) {
      throw fail('validation_failed', { path: 'expectLive', expected: 'the live snapshot that get_site shows' });
    }
    const { liveSnapshot } = await draft.head();
    if (expectLive !== liveSnapshot) throw fail('digest_moved', { liveSnapshot });
  }
  for (const track of tracks) {
    const then = await draft.allDifferences({ track }, { track, snapshot: id });
    await draft.place(track, new Map(then.map(({ id: node, after }) => [node, after])));
    draft.proves(track, track === 'live' ? snapshot.liveDigest : snapshot.draftDigest);
  }
  await refuseEmbargoed(draft, draft.changes, now);
}
