import { type Permit, signPermit } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import { policyVersion } from './deps.ts';
import { effectiveMode } from './effective-mode.ts';
import type { Judged } from './prepare.ts';
import type { Room } from './room.ts';

/** Tools that this service answers itself, over `askPolicy`: their permits carry all of the principal. */
export const ownTools = [
  'get_mode',
  'request_elevation',
  'end_elevation',
  'explain_policy',
  'list_approvals',
  'cancel_approval',
  'list_term_proposals',
] as const;
/** Tools of tool-service that say whether a publish would run: they ask with their permit, which carries all of the principal, too. */
const askingTools: readonly string[] = ['get_publish_plan', 'check_readiness'];

export function asksAboutPublish(name: string): boolean {
  return askingTools.includes(name);
}

export type OwnTool = (typeof ownTools)[number];

export function isOwnTool(name: string): name is OwnTool {
  return (ownTools as readonly string[]).includes(name);
}

export type Leave = {
  callId: string;
  principal: Principal;
  judged: Judged;
  answerTo: string;
  client?: { name?: string; version?: string };
  /** The approval that it runs under, and the state of the site that it was given for. */
  approval?: NonNullable<Permit['approval']> & { base: NonNullable<Permit['base']> };
};

/** The allow itself: signed, short-lived, and bound to all that was decided on. */
export function issuePermit(room: Room, { callId, principal, judged, answerTo, client, approval }: Leave): string {
  const { tool, site, skill, decision, assessment } = judged;
  const base = approval?.base ?? assessment?.base;
  const isElevated = approval === undefined && decision.mode !== effectiveMode(principal, undefined, false);
  const permit: Permit = {
    callId,
    tool: tool.name,
    argumentsHash: judged.argumentsHash,
    principal: bearerOf(principal),
    ...(site && { site: site.id }),
    sites: principal.sites,
    scopes: decision.scopes,
    ...(skill && { skill: { name: skill.name, digest: skill.digest } }),
    mode: decision.mode,
    ...(isElevated && { elevated: true }),
    rule: decision.rule,
    policyVersion,
    ...(approval && { approval: { id: approval.id, channel: approval.channel, decidedBy: approval.decidedBy } }),
    answerTo,
    ...(base && { base }),
    ...(judged.idempotencyKey !== undefined && { idempotencyKey: judged.idempotencyKey }),
    ...(client && { client }),
    ...((isOwnTool(tool.name) || asksAboutPublish(tool.name)) && { asker: principal }),
  };
  return signPermit(permit, room.signer);
}

/** What a permit says of whoever it is given to. */
export function bearerOf({ id, kind, name, owner, keyId, keyGeneration }: Principal): Permit['principal'] {
  return {
    id,
    kind,
    name,
    ...(owner !== undefined && { owner }),
    ...(keyId !== undefined && { keyId }),
    ...(keyGeneration !== undefined && { keyGeneration }),
  };
}
