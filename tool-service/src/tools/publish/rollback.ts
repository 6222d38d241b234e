import { quote } from '@cloudhal/shared/quote';
import { Type } from 'typebox';
import { subjectOf } from '../../changes/describe.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { rollBack } from '../../publish/rollback.ts';
import { Choice, Site, SnapshotRef } from '../arguments.ts';
import { ChangesData, changesData } from './change-data.ts';

export const rollback = writeTool({
  name: 'rollback',
  title: 'Roll back',
  description:
    'Makes the live site, the draft, or both exactly what they were at a snapshot, in a new one. Comments are not touched.',
  effect: 'publish',
  scopes: ['publish'],
  toolsets: ['release'],
  hints: { destructive: true, idempotent: true },
  input: Input({
    site: Site,
    snapshot: SnapshotRef,
    track: Choice(['live', 'draft', 'both'], 'What to roll back.'),
    expectLive: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The live snapshot that get_site shows. Required unless track is draft.',
      }),
    ),
    reason: Type.String({ minLength: 1, maxLength: 500, description: 'Why; shown to whoever approves.' }),
  }),
  output: ChangesData,
  exclusive: true,
  async run({ snapshot, track, expectLive }, draft, call) {
    const tracks = track === 'both' ? (['draft', 'live'] as const) : [track];
    await rollBack(draft, { snapshot, tracks, expectLive }, call.now());
    return { data: changesData(draft) };
  },
  async assess({ snapshot: id, track }, draft, dry) {
    const { title } = await draft.head();
    const { at, label } = await draft.snapshot(id);
    const place = { live: 'the live site', draft: 'the draft of', both: 'draft and live of' }[track];
    return {
      summary: {
        ...dry.summary,
        title: `Roll ${place} ${quote(title)} back to ${quote(label)} of ${at}: ${subjectOf(draft.changes)}`,
      },
    };
  },
});
