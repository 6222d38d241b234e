import { fail } from '@cloudhal/shared/errors';
import type { Effect, Principal } from '@cloudhal/shared/policy';
import type { Settings } from '../deps.ts';
import { type SiteRules, strictestAttestation } from '../site-rules.ts';

type Case = {
  settings: Pick<Settings, 'personAttested' | 'confirmTokenFallback'>;
  rules: Pick<SiteRules, 'personAttested' | 'confirmTokenFallback' | 'fourEyes'>;
  principal: Pick<Principal, 'kind' | 'personAttested' | 'confirmTokenFallback'>;
  effect: Effect;
  tainted: boolean;
};

export type Trust = {
  /** Only a signed-in person may answer, in Studio. */
  personOnly: boolean;
  /** A client that cannot elicit may be given a token, and may use it. */
  tokens: boolean;
};

/** Whose answer counts. The strictest of deployment, site and key wins; a tainted key is never given a token. */
export function trustIn({ settings, rules, principal, effect, tainted }: Case): Trust {
  // A person's own session attests them; four eyes ask for another one.
  if (principal.kind === 'person') return { personOnly: rules.fourEyes, tokens: false };
  const attested = strictestAttestation(settings.personAttested, rules.personAttested, principal.personAttested);
  // Whoever sits at the agent's client may be its owner: with four eyes their answer is their own request's.
  const personOnly = rules.fourEyes || attested === 'all' || (attested === 'always-person' && effect === 'person');
  const fallback = settings.confirmTokenFallback && rules.confirmTokenFallback && principal.confirmTokenFallback;
  return { personOnly, tokens: fallback && !personOnly && !tainted };
}

const reviewable: ReadonlySet<Effect> = new Set<Effect>(['edit', 'publish', 'auto-publish']);

/** Who may decide in Studio: owners and editors all of it, reviewers edits of content and publishes. */
export function mustBeApprover({ kind, role }: Pick<Principal, 'kind' | 'role'>, effect: Effect): void {
  if (kind === 'local') return;
  if (kind === 'person' && (role === 'owner' || role === 'editor')) return;
  if (kind === 'person' && role === 'reviewer' && reviewable.has(effect)) return;
  throw fail('forbidden', { needs: 'an owner or an editor, or for edits and publishes a reviewer' });
}

/** Whether a person asked for this themselves, or owns the key that did. */
export function isOwnRequest(approver: Pick<Principal, 'id'>, { id, owner }: Pick<Principal, 'id' | 'owner'>): boolean {
  return id === approver.id || (owner !== undefined && (owner === approver.id || `person:${owner}` === approver.id));
}
