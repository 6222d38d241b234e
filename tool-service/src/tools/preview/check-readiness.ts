import { fail } from '@cloudhal/shared/errors';
import type { PageBody } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import { findProblems } from '../../changes/risk.ts';
import { sectionProblems } from '../../content/sections.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { Change } from '../../graph/draft.ts';
import { kindRow } from '../../graph/kinds.ts';
import type { GraphNode } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { type Plan, planPublish, type What } from '../../publish/plan.ts';
import { missingAlt } from '../../readiness/missing-alt.ts';
import { translationProblems } from '../../readiness/translation-problems.ts';
import { Site } from '../arguments.ts';
import { nameOf } from '../untrusted.ts';

/** Nodes whose texts are looked at one by one. */
const mostRead = 200;
const mostProblems = 50;

export const checkReadiness = readTool({
  name: 'check_readiness',
  title: 'Check before a publish',
  description:
    'Whether changes are ready for readers: validation, links, alt texts, embargoes, translations, conflicts, policy. Without arguments: all that differs from live.',
  scopes: ['content:read'],
  toolsets: ['editorial', 'release'],
  input: Input({
    site: Site,
    snapshot: Type.Optional(Type.String({ maxLength: 64, description: 'Only nodes that this snapshot changed.' })),
    release: Type.Optional(Type.String({ maxLength: 64, description: 'Only what this release says.' })),
    nodes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: 200,
        description: 'Only these nodes, by id.',
      }),
    ),
  }),
  output: Type.Object({
    ready: Type.Boolean(),
    count: Type.Integer(),
    checks: Type.Array(Type.Unsafe<object>({ type: 'object' })),
    policy: Type.Unsafe<object>({ type: 'object' }),
    expectDraft: Type.String(),
  }),
  async run(args, view, call) {
    const what = await whatOf(view, args);
    const { snapshot: expectDraft } = await view.head();
    const plan = await planPublish(view, what, call.now());
    const changes = plan.changes.map((change): Change => ({ track: 'live', ...change }));
    const exposed = changes.flatMap(({ after }) => (after && !after.deleted ? [after] : [])).slice(0, mostRead);
    const [found, translations, alt, policy] = await Promise.all([
      findProblems(view, changes),
      translationProblems(view, exposed),
      Promise.all(exposed.map((node) => altFaults(view, node))),
      call.can.judgePublish(call.permit ?? '', args, { what, expectDraft }),
    ]);
    const of = (check: string) => found.flatMap((one) => (one.check === check ? [one.problem] : []));
    const checks = [
      checked('validation', [...of('validation'), ...exposed.flatMap(sectionFaults)]),
      checked('links', of('links')),
      checked('review', of('review')),
      checked('alt', alt.flat()),
      checked('embargoes', heldBack(plan, what)),
      { ...checked('translations', translations.problems), ...missingIn(translations.missing) },
      checked('conflicts', (plan.conflicts ?? []).filter(({ blocks }) => blocks === 'publish').map(saidOf)),
    ];
    const ready = changes.length > 0 && checks.every(({ ok }) => ok) && policy.decision !== 'deny';
    return {
      data: { ready, count: changes.length, checks, policy, expectDraft },
      ...(changes.length > mostRead && { truncated: true }),
      ...(changes.length === 0 && { next: ['Nothing differs from what is live.'] }),
    };
  },
});

type Asked = { snapshot?: string; release?: string; nodes?: string[] };

async function whatOf(view: View, { snapshot, release, nodes }: Asked): Promise<What> {
  const asked = [snapshot, release, nodes].filter((one) => one !== undefined);
  if (asked.length > 1) {
    throw fail('validation_failed', { path: 'snapshot', expected: 'at most one of snapshot, release and nodes' });
  }
  if (release !== undefined) return { release };
  if (nodes) return { nodes };
  return snapshot === undefined ? { all: true } : { nodes: await changedBy(view, snapshot) };
}

async function changedBy(view: View, id: string): Promise<string[]> {
  const { parent } = await view.snapshot(id);
  const changes = parent === undefined ? [] : await view.allDifferences({ snapshot: parent }, { snapshot: id });
  const nodes = changes.filter(({ kind }) => !kindRow(kind).draftOnly).map((change) => change.id);
  const there = (await view.nodes(nodes, { trash: true })).map((node) => node.id);
  if (there.length > 0) return there;
  throw fail('validation_failed', { path: 'snapshot', expected: 'one that changed drafts that are still there' });
}

function checked(check: string, problems: readonly string[]) {
  return { check, ok: problems.length === 0, problems: problems.slice(0, mostProblems) };
}

function sectionFaults(node: GraphNode): string[] {
  if (node.kind !== 'page') return [];
  return sectionProblems((node.body as PageBody).sections).map((problem) => `${nameOf(node)}: ${problem}`);
}

async function altFaults(view: View, node: GraphNode): Promise<string[]> {
  return (await missingAlt(view, node)).map((fault) => `${nameOf(node)} ${fault}`);
}

/** What is asked for by name cannot be left out. */
function heldBack({ embargoed }: Plan, { all }: What): string[] {
  return all ? [] : embargoed.map(({ node, until }) => `${node} is embargoed until ${until}.`);
}

function missingIn(missing: { node: string; locales: string[] }[]) {
  return missing.length === 0 ? {} : { missing: missing.slice(0, mostProblems) };
}

function saidOf({ node, problem }: { node: string; problem: string }): string {
  return `${node}: ${problem}`;
}
