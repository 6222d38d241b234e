import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import { subjectOf } from '../../changes/describe.ts';
import { weighed } from '../../changes/weighed.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { expectDraft, planPublish, putLive } from '../../publish/plan.ts';
import { mustBeClear } from '../../releases/plan-release.ts';
import { recordReleased } from '../../releases/runs.ts';
import { Note, Site, SnapshotRef } from '../arguments.ts';
import { ChangesData, changesData } from './change-data.ts';
import { WhatArg } from './what.ts';

export const publish = writeTool({
  name: 'publish',
  title: 'Publish',
  description:
    'Makes drafts live. Send the expectDraft of get_publish_plan: if one of them moved since, nothing is published. Embargoed nodes are left out, or refused when named.',
  effect: 'auto-publish',
  scopes: ['publish'],
  toolsets: ['core', 'release'],
  hints: { destructive: true, idempotent: true },
  input: Input({ site: Site, what: WhatArg, expectDraft: SnapshotRef, note: Note }),
  output: ChangesData,
  exclusive: true,
  async run({ what, expectDraft: seen }, draft, call) {
    const plan = await planPublish(draft, what, call.now());
    if (what.release !== undefined) mustBeClear(plan, 'publish');
    const [held] = plan.embargoed;
    if (what.nodes && held) throw fail('embargoed', { node: held.node, until: held.until });
    await expectDraft(draft, seen, [
      ...plan.changes.map(({ id }) => id),
      ...(what.release === undefined ? [] : [what.release]),
    ]);
    await putLive(draft, plan, call.principal.kind === 'person' || call.approval !== undefined);
    if (what.release !== undefined) {
      recordReleased(draft, { release: what.release, by: call.principal.name, callId: call.id });
    }
    return {
      data: changesData(draft),
      ...(plan.embargoed.length > 0 && {
        warnings: plan.embargoed.map(({ node, until }) => `${node} is embargoed until ${until} and was left out.`),
      }),
      ...(plan.changes.length === 0 && { next: ['Nothing differs from what is live, so nothing was published.'] }),
    };
  },
  async assess(_, draft, dry) {
    const live = draft.changes.filter((change) => change.track === 'live');
    const { title } = await draft.head();
    return {
      nodes: weighed(live).length,
      summary: { ...dry.summary, title: `Publish ${subjectOf(live)} on ${quote(title)}` },
    };
  },
});
