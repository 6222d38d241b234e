import { quote } from '@cloudhal/shared/quote';
import { requireScopes } from '../../changes/require-scopes.ts';
import { weighMoves } from '../../content/move-page.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { undoSnapshot } from '../../publish/undo.ts';
import { DryRun, Note, Site, SnapshotRef } from '../arguments.ts';
import { ChangesData, changesData } from '../publish/change-data.ts';

export const undoChange = writeTool({
  name: 'undo_change',
  title: 'Undo a change',
  description:
    'Takes back exactly what one snapshot changed on the draft. Later changes of other fields stay; where they touch the same fields, nothing is undone and they are named.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: false },
  input: Input({ site: Site, snapshot: SnapshotRef, dryRun: DryRun, note: Note }),
  output: ChangesData,
  exclusive: true,
  async run({ snapshot }, draft, call) {
    await undoSnapshot(draft, snapshot);
    requireScopes(draft, call);
    return { data: changesData(draft) };
  },
  async assess({ snapshot: id }, draft, dry) {
    const { at, label, actor } = await draft.snapshot(id);
    return {
      ...(await weighMoves(draft)),
      summary: { ...dry.summary, title: `Undo ${quote(label)} by ${quote(actor)} of ${at}: ${dry.nodes} nodes` },
    };
  },
});
