import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import type { Call } from './call.ts';
import type { Capabilities } from './capabilities.ts';
import { describeChanges, subjectOf } from './changes/describe.ts';
import { effectOf, problemsOf, strongest } from './changes/risk.ts';
import { areArticles, weighed } from './changes/weighed.ts';
import type { Assessed, Tool } from './define-tool.ts';
import { embargoedIn } from './embargoes/embargoes.ts';
import type { BufferedDraft } from './graph/buffered-draft.ts';
import { dryRun } from './graph/mutate.ts';
import { SqlView } from './graph/sql-view.ts';

export type AssessDeps = {
  database: Database;
  tools: ReadonlyMap<string, Tool>;
  can: Capabilities;
  now(): Date;
};

const longestMs = 5_000;

/**
 * What a call would do, by doing it to a draft that is not stored. Errors of the call itself are thrown as they would be. A
 * tool that first fetches or decodes something is described by its arguments, since that is not done before it may run.
 */
export async function assessCall(
  deps: AssessDeps,
  request: { tool: string; site: string; arguments: Record<string, unknown> },
): Promise<Assessed> {
  const tool = deps.tools.get(request.tool);
  if (!tool) throw fail('unknown_tool', { tool: request.tool });
  tool.check(request.arguments);
  const { confirmToken: _, ...args } = request.arguments;
  const { handler, facts } = tool;
  const site = await new SqlView(deps.database, request.site).head();
  if (handler.kind !== 'write' || handler.prepare) {
    const title = `${facts.title} on ${quote(site.title)}`;
    return { ...nothing, effect: facts.effect, summary: { title, lines: argumentLines(args) } };
  }
  const call = assessedCall(deps, tool, site.id);
  const { draft, answer } = await dryRun(deps.database, site.id, call.signal, (open) =>
    handler.run(args, open, call, undefined),
  );
  const dry = await assessChanges(draft, tool, args, site.title, deps.now());
  return { ...dry, ...(await handler.assess?.(args, draft, dry, answer)) };
}

const nothing = { reasons: [], base: {}, nodes: 0, articlesOnly: false, embargoed: [], problems: [] };

async function assessChanges(
  draft: BufferedDraft,
  { facts }: Tool,
  args: Record<string, unknown>,
  site: string,
  now: Date,
): Promise<Assessed> {
  const changes = draft.effects;
  const weighty = weighed(changes);
  const effect = facts.assessed ? strongest([facts.effect, ...weighty.map(effectOf)]) : facts.effect;
  const ids = new Set(weighty.map((change) => change.id));
  return {
    effect,
    reasons: effect === facts.effect ? [] : [raised(weighty.filter((change) => effectOf(change) === effect))],
    summary: describeChanges(`${facts.title}: ${subjectOf(changes)} on ${quote(site)}`, changes, givenReason(args)),
    base: baseOf(draft, facts.assessed),
    nodes: ids.size,
    ...(draft.isUntouched && args.dryRun !== true && { unchanged: true }),
    articlesOnly: areArticles(changes),
    embargoed: await embargoedIn(draft, changes, draft.foreseen?.at ?? now),
    problems: await problemsOf(draft, changes),
  };
}

function raised(changes: BufferedDraft['effects']): string {
  return `it changes ${subjectOf(changes)}, which takes more than this tool does by itself`;
}

/** The diff itself for what acts on many nodes; for an edit, the revs of the nodes that it was made from. */
function baseOf(draft: BufferedDraft, byDiff: boolean): Assessed['base'] {
  if (byDiff && !draft.created) return { diff: draft.digest };
  const revs = draft.changes.flatMap(({ track, id, before }): [string, number][] =>
    track === 'draft' && before ? [[id, before.rev]] : [],
  );
  return revs.length > 0 ? { revs: Object.fromEntries(revs) } : {};
}

/** What the caller says about it, marked as theirs. */
function givenReason({ reason, note }: Record<string, unknown>): string[] {
  const text = typeof reason === 'string' ? reason : note;
  return typeof text === 'string' ? [`Reason given: ${quote(text, 300)}`] : [];
}

function argumentLines(args: Record<string, unknown>): string[] {
  const lines = Object.entries(args).filter(([name]) => name !== 'site' && name !== 'requestId');
  return lines
    .slice(0, 12)
    .map(([name, value]) => `${name}: ${quote(typeof value === 'string' ? value : JSON.stringify(value), 200)}`);
}

/** The call as a handler sees it while it is assessed: nobody's yet. */
function assessedCall({ can, now }: AssessDeps, { facts }: Tool, site: string): Call {
  return {
    id: 'assessment',
    tool: facts.name,
    principal: { id: 'assessment', kind: 'agent', name: 'assessment' },
    sites: [site],
    // Policy knows what the caller holds; here it is seen what the call would do.
    scopes: '*',
    mode: 'plan',
    signal: AbortSignal.timeout(longestMs),
    now,
    can,
  };
}
