import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import type { Track } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { Site, SnapshotRef } from '../arguments.ts';
import { differenceData, isUntrusted } from './difference-data.ts';
import { SnapshotData, snapshotData } from './snapshot-data.ts';

const shown = 100;

export const getSnapshot = readTool({
  name: 'get_snapshot',
  title: 'Read a snapshot',
  description: 'One snapshot: its digests, the call that made it, the one before it, and the nodes that it changed.',
  scopes: ['snapshots:read'],
  toolsets: ['release'],
  input: Input({ site: Site, snapshot: SnapshotRef }),
  output: Type.Object({ ...SnapshotData.properties, changes: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ snapshot: id }, view) {
    const snapshot = await view.snapshot(id);
    const { parent, callId, draftDigest, liveDigest } = snapshot;
    const tracks =
      parent === undefined
        ? []
        : [await changesOn(view, 'draft', parent, id), await changesOn(view, 'live', parent, id)];
    const more = tracks.some(({ cursor }) => cursor !== undefined);
    return {
      data: {
        ...snapshotData(snapshot),
        ...(parent !== undefined && { parent }),
        callId,
        draftDigest,
        liveDigest,
        changes: tracks.flatMap(({ changes }) => changes),
      },
      ...(more && { truncated: true, next: ['Page through all of them with diff_snapshots.'] }),
    };
  },
});

async function changesOn(view: View, track: Track, parent: string, id: string) {
  const { items, cursor } = await view.differences(
    { track, snapshot: parent },
    { track, snapshot: id },
    { limit: shown },
  );
  const changes = items.map((item) => {
    const { title, ...change } = differenceData(item, 'summary', 1_000);
    return { track, ...change, ...(title !== undefined && !isUntrusted(item) && { title }) };
  });
  return { changes, cursor };
}
