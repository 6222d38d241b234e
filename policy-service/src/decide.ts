import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import type { Effect, Mode, Principal, Scope, Scopes } from '@cloudhal/shared/policy';
import type { ToolFacts } from '@cloudhal/shared/tool';
import { raiseByArguments, scopesByCall } from './argument-rules.ts';
import { type Elevation, effectiveMode } from './effective-mode.ts';
import { effectWords, modeMatrix, strongest } from './mode-matrix.ts';
import { heldScopes, missingScope, narrowScopes, type SkillScopes } from './scopes.ts';
import type { SiteRules } from './site-rules.ts';
import { type Change, goesLiveAt, notSmall } from './small-publish.ts';
import { needsPersonWhileTainted } from './taint.ts';

/** Everything that a decision depends on. */
export type Facts = {
  principal: Principal;
  tool: Pick<ToolFacts, 'name' | 'effect' | 'scopes'>;
  /** Coerced and valid. */
  arguments: Readonly<Record<string, unknown>>;
  /** The site's id, where the call concerns one. */
  site?: string;
  /** What the call would do, where its risk depends on that. */
  change?: Change;
  skill?: SkillScopes;
  rules: SiteRules;
  elevation?: Elevation;
  tainted: boolean;
  now: Date;
};

export type Decision = {
  decision: 'allow' | 'person' | 'deny';
  /** The rule that decided. */
  rule: string;
  reasons: string[];
  /** What the caller of a denied call is told. */
  error?: CloudhalError;
  /** The strongest effect of the call, and what it was judged with. */
  effect: Effect;
  mode: Mode;
  scopes: Scopes;
};

/** One rule's say; a rule that has none returns nothing. */
type Say = { decision: Decision['decision']; rule: string; reason: string; error?: CloudhalError };

type Case = Facts & { effect: Effect; mode: Mode; held: Scopes; narrowed: Scopes; needed: readonly Scope[] };

const rules: readonly ((facts: Case) => Say | undefined)[] = [siteReach, scopeReach, skillReach, byMode, byTaint];

/** Whether a call runs, waits for a person, or is refused. Deny beats person beats allow, and nothing said is a deny. */
export function decide(facts: Facts): Decision {
  const raised = raises(facts);
  const effect = raised.reduce((strong, raise) => strongest(strong, raise.effect), facts.tool.effect);
  const mode = effectiveMode(facts.principal, facts.elevation, facts.tainted);
  const held = heldScopes(facts.principal);
  const narrowed = narrowScopes(held, facts.skill);
  const needed = [...facts.tool.scopes, ...scopesByCall(facts.tool.name, effect, facts.arguments)];
  const whole: Case = { ...facts, effect, mode, held, narrowed, needed };
  const says = rules.map((rule) => rule(whole)).filter((say) => say !== undefined);
  const decision = (['deny', 'person', 'allow'] as const).find((word) => says.some((say) => say.decision === word));
  const counted = says.filter((say) => say.decision === decision);
  const first = counted[0] ?? byDefault(facts, effect, mode);
  const why = decision === 'allow' ? [] : raised.filter((raise) => raise.effect === effect).flatMap((r) => r.reasons);
  return {
    decision: first.decision,
    rule: first.rule,
    reasons: [...counted.map((say) => say.reason), ...why],
    ...(first.error && { error: first.error }),
    effect,
    mode,
    scopes: narrowed,
  };
}

/** What lifts the call above its tool: its arguments, and the change that it would make. */
function raises({ tool, arguments: args, change }: Facts): { effect: Effect; reasons: string[] }[] {
  const byArguments = raiseByArguments(tool.name, args);
  const all = [
    ...(byArguments ? [{ effect: byArguments.effect, reasons: [byArguments.reason] }] : []),
    ...(change ? [{ effect: change.effect, reasons: change.reasons }] : []),
  ];
  return all.filter(({ effect }) => strongest(tool.effect, effect) !== tool.effect);
}

function siteReach({ principal, site }: Case): Say | undefined {
  if (site === undefined || principal.sites === '*' || principal.sites.includes(site)) return undefined;
  const error = fail('not_found', { what: 'site', id: site });
  return { decision: 'deny', rule: 'site', reason: 'the site is out of reach', error };
}

function scopeReach({ held, needed }: Case): Say | undefined {
  const scope = missingScope(held, needed);
  if (scope === undefined) return undefined;
  const error = fail('scope_missing', { scope });
  return { decision: 'deny', rule: 'scope', reason: `the scope ${scope} is not held`, error };
}

function skillReach({ held, narrowed, needed, skill }: Case): Say | undefined {
  const scope = missingScope(narrowed, needed);
  if (skill === undefined || scope === undefined || missingScope(held, [scope])) return undefined;
  const error = fail('skill_scope', { skill: skill.name, scope });
  return { decision: 'deny', rule: 'skill', reason: `the skill ${skill.name} does not include ${scope}`, error };
}

/** What no table knows is refused. */
function byDefault({ tool }: Facts, effect: Effect, mode: Mode): Say {
  const error = fail('mode_forbids', { mode, tool: tool.name, class: effectWords[effect] ?? 'of no known effect' });
  return { decision: 'deny', rule: 'default', reason: 'no rule allows it', error };
}

function byMode(facts: Case): Say {
  const { principal, tool, arguments: args, effect, mode, change, rules: site, now } = facts;
  const word = effectWords[effect];
  if (word === undefined) return byDefault(facts, effect, mode);
  if (principal.kind === 'person') {
    const decision = effect === 'person' ? 'person' : 'allow';
    return { decision, rule: `person/${effect}`, reason: effect === 'person' ? word : 'the role reaches it' };
  }
  const rule = `${mode}/${effect}`;
  const verdict = modeMatrix[mode]?.[effect];
  switch (verdict) {
    case 'allow':
    case 'person':
      return { decision: verdict, rule, reason: `in mode ${mode}, ${word}` };
    case 'small': {
      const against = notSmall(change, site, goesLiveAt(tool.name, args, now));
      return against.length === 0
        ? { decision: 'allow', rule: 'small-publish', reason: 'a small publish of articles' }
        : { decision: 'person', rule, reason: `in mode ${mode}, ${word}: ${against.join(', ')}` };
    }
    case 'deny': {
      const error = fail('mode_forbids', { mode, tool: tool.name, class: word });
      return { decision: 'deny', rule, reason: `in mode ${mode} nothing changes, and ${word}`, error };
    }
    default:
      return byDefault(facts, effect, mode);
  }
}

function byTaint({ principal, tool, effect, tainted }: Case): Say | undefined {
  if (!tainted || principal.kind === 'person' || !needsPersonWhileTainted(tool.name, effect)) return undefined;
  return { decision: 'person', rule: 'taint', reason: 'the key has just read text from strangers' };
}
