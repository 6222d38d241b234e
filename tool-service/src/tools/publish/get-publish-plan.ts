import { Type } from 'typebox';
import { problemsOf } from '../../changes/risk.ts';
import { titleOf } from '../../changes/title.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { Change } from '../../graph/draft.ts';
import type { Difference } from '../../graph/node.ts';
import { planPublish } from '../../publish/plan.ts';
import { Site } from '../arguments.ts';
import { differenceData, isUntrusted } from '../snapshots/difference-data.ts';
import { WhatArg } from './what.ts';

const mostShown = 100;

export const getPublishPlan = readTool({
  name: 'get_publish_plan',
  title: 'Read the publish plan',
  description:
    'What publish would change for readers, what is held back and why, and the snapshot to send to publish as expectDraft.',
  scopes: ['publish', 'content:read'],
  toolsets: ['core', 'release'],
  input: Input({ site: Site, what: WhatArg }),
  output: Type.Object({
    expectDraft: Type.String(),
    count: Type.Integer(),
    nodes: Type.Array(Type.Unsafe<object>({ type: 'object' })),
    embargoed: Type.Array(Type.Unsafe<object>({ type: 'object' })),
    problems: Type.Array(Type.String()),
    articlesOnly: Type.Boolean(),
  }),
  async run({ what }, view, call) {
    const { snapshot } = await view.head();
    const { changes, embargoed, conflicts } = await planPublish(view, what, call.now());
    const live = changes.map((change): Change => ({ track: 'live', ...change }));
    const shown = changes.slice(0, mostShown);
    const untrusted = shown
      .filter(isUntrusted)
      .map(({ id, after }) => ({ source: 'import', id, title: titleOf(after!) }));
    return {
      data: {
        expectDraft: snapshot,
        count: changes.length,
        nodes: shown.map((change) => known(change)),
        ...(untrusted.length > 0 && { untrusted }),
        embargoed,
        ...(conflicts && { conflicts }),
        problems: await problemsOf(view, live),
        articlesOnly: changes.every(({ before, after }) => {
          const body = (after ?? before)!.body;
          return 'type' in body && body.type === 'article';
        }),
      },
      ...(changes.length > mostShown && { truncated: true }),
      next:
        changes.length === 0
          ? ['Nothing differs from what is live.']
          : ['explain_policy says whether this publish would run by itself or wait for a person.'],
    };
  },
});

/** What is known of a change by itself; a title that nobody has looked at is set apart. */
function known(change: Difference): object {
  const { title, ...rest } = differenceData(change, 'summary', 0);
  return { ...rest, ...(title !== undefined && !isUntrusted(change) && { title }) };
}
