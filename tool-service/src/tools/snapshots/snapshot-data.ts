import { Type } from 'typebox';
import type { Snapshot } from '../../graph/node.ts';

/** A snapshot as tools return it. */
export const SnapshotData = Type.Object({
  id: Type.String(),
  label: Type.String(),
  reason: Type.String(),
  tool: Type.String(),
  actor: Type.String(),
  changed: Type.Integer(),
  at: Type.String(),
});

export function snapshotData({ id, seq, label, reason, tool, actor, skill, changed, note, at }: Snapshot) {
  return {
    id,
    seq,
    label,
    reason,
    tool,
    actor,
    ...(skill !== undefined && { skill }),
    changed,
    ...(note !== undefined && { note }),
    at,
  };
}
