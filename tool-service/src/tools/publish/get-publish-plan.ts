import { CloudhalError } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import type { Call } from '../../call.ts';
import type { Judgement } from '../../capabilities.ts';
import { problemsOf } from '../../changes/risk.ts';
import { areArticles } from '../../changes/weighed.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { Change } from '../../graph/draft.ts';
import { planPublish } from '../../publish/plan.ts';
import { Site } from '../arguments.ts';
import { setApart } from '../snapshots/difference-data.ts';
import { WhatArg } from './what.ts';

const mostShown = 100;

export const getPublishPlan = readTool({
  name: 'get_publish_plan',
  title: 'Read the publish plan',
  description:
    'What publish would change for readers, what is held back and why, what policy says, and the snapshot to send as expectDraft.',
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
    policy: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  }),
  async run(args, view, call) {
    const { what } = args;
    const { snapshot } = await view.head();
    const { changes, embargoed, conflicts } = await planPublish(view, what, call.now());
    const live = changes.map((change): Change => ({ track: 'live', ...change }));
    const shown = changes.slice(0, mostShown).map((change) => setApart(change, 'summary', 0));
    const untrusted = shown.flatMap((change) => change.untrusted ?? []);
    const policy = changes.length === 0 ? undefined : await judged(call, args, { what, expectDraft: snapshot });
    return {
      data: {
        expectDraft: snapshot,
        count: changes.length,
        nodes: shown.map((change) => change.known),
        ...(untrusted.length > 0 && { untrusted }),
        embargoed,
        ...(conflicts && { conflicts }),
        problems: await problemsOf(view, live),
        articlesOnly: areArticles(live),
        ...(policy && { policy }),
      },
      ...(changes.length > mostShown && { truncated: true }),
      ...(changes.length === 0 && {
        next: ['Nothing would change for readers. Assets that nothing shows go live only when named.'],
      }),
    };
  },
});

/** Whether it would run by itself, and why not; nothing where policy cannot be asked: the plan holds without it. */
async function judged({ can, permit = '' }: Call, args: object, publish: object): Promise<Judgement | undefined> {
  try {
    return await can.judgePublish(permit, args, publish);
  } catch (error) {
    if (error instanceof CloudhalError && error.code === 'policy_unavailable') return undefined;
    throw error;
  }
}
