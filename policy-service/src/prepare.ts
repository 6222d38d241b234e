import { type Assessment, assess } from '@cloudhal/shared/contracts';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { argumentsHash } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import type { Static } from 'typebox';
import { coerceArguments, idempotencyKeyOf, takeConfirmToken, validateArguments } from './arguments.ts';
import type { KnownTool } from './catalogue.ts';
import type { Deadline } from './deadline.ts';
import { type Decision, decide, type Facts } from './decide.ts';
import type { DeclaredSkill } from './declared-skill.ts';
import type { KeyState } from './key-state.ts';
import type { Room } from './room.ts';
import { defaultSiteRules } from './site-rules.ts';
import { findSite, type Site } from './sites.ts';
import { readStanding, type Standing } from './standing.ts';

/** A call as it was asked for, its principal verified. */
export type Asked = {
  callId: string;
  principal: Principal;
  tool: string;
  arguments: Record<string, unknown>;
  skill?: unknown;
  confirmToken?: string;
  idempotencyKey?: string;
  client?: { name?: string; version?: string };
};

/** A call in the form that is decided on: known tool, valid arguments, one site, known skill. */
export type Prepared = {
  tool: KnownTool;
  args: Record<string, unknown>;
  argumentsHash: string;
  site?: Site;
  skill?: DeclaredSkill;
  confirmToken?: string;
  idempotencyKey?: string;
};

export type Judged = Prepared & {
  decision: Decision;
  standing: Standing;
  assessment?: Static<typeof Assessment>;
  tainted: boolean;
};

/** Reads a call. Whatever is wrong with it is thrown, with nothing done. */
export async function prepare(room: Room, asked: Asked, deadline: Deadline): Promise<Prepared> {
  const tool = await room.tools.find(asked.tool);
  const skill = await room.skills.declared(asked.skill, deadline.left());
  const taken = takeConfirmToken(tool, asked.arguments, asked.confirmToken);
  const coerced = coerceArguments(tool, taken.args);
  const { args, site } = tool.accepts('site')
    ? await findSite(room.sites, { tool: tool.name, args: coerced, principal: asked.principal }, () =>
        deadline.left(2_000),
      )
    : { args: coerced };
  validateArguments(tool, args);
  const idempotencyKey = idempotencyKeyOf(tool, args, asked.idempotencyKey);
  return {
    tool,
    args,
    argumentsHash: argumentsHash(args),
    ...(site && { site }),
    ...(skill && { skill }),
    ...(taken.confirmToken !== undefined && { confirmToken: taken.confirmToken }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

/** A revoked key, or the form of a key before it was changed, does nothing any more. */
export function mustBeCurrent({ revoked, outdated }: KeyState): void {
  if (revoked || outdated) throw fail('unauthorized');
}

/** Gathers the facts and decides. Nothing is changed by it. */
export async function judge(
  room: Room,
  { callId, principal }: Pick<Asked, 'callId' | 'principal'>,
  prepared: Prepared,
  deadline: Deadline,
): Promise<Judged> {
  const { tool, args, site, skill } = prepared;
  deadline.left();
  const standing = isLight(tool)
    ? { now: new Date(), rules: defaultSiteRules, tainted: false }
    : await readStanding(room.database, {
        callId,
        principal,
        site: site?.id,
        tool: tool.name,
        argumentsHash: prepared.argumentsHash,
      });
  const { tainted } = standing;
  const facts: Facts = {
    principal,
    tool,
    arguments: args,
    rules: standing.rules,
    tainted,
    now: standing.now,
    ...(site && { site: site.id }),
    ...(skill && { skill }),
    ...(standing.elevation && { elevation: standing.elevation }),
  };
  const decision = decide(facts);
  if (!tool.assessed || decision.decision === 'deny') return { ...prepared, decision, standing, tainted };
  const assessment = await assessChange(room, prepared, deadline);
  return { ...prepared, decision: decide({ ...facts, change: assessment }), standing, assessment, tainted };
}

/** Neither rules, elevations, taint nor approvals matter to a call that every mode lets through, so the store is not asked. */
export function isLight({
  effect,
  assessed,
  untrusted,
}: Pick<KnownTool, 'effect' | 'assessed' | 'untrusted'>): boolean {
  return (effect === 'read' || effect === 'view' || effect === 'ask') && !assessed && !untrusted;
}

async function assessChange(room: Room, { tool, args, site }: Prepared, deadline: Deadline) {
  try {
    const query = { tool: tool.name, site: site?.id ?? '', arguments: args };
    return await room.bus.request(assess, query, { timeoutMs: deadline.left(2_000) });
  } catch (error) {
    if (error instanceof CloudhalError) throw error;
    room.log.warn({ err: error, tool: tool.name }, 'a change could not be assessed');
    throw fail('tool_unavailable');
  }
}
