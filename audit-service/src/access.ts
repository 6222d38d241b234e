import { deploymentChain } from '@cloudhal/shared/audit-event';
import { fail } from '@cloudhal/shared/errors';
import type { Permit } from '@cloudhal/shared/permit';
import { hasScope, type Principal } from '@cloudhal/shared/policy';

/** What someone may see of the record. */
export type View = {
  /** The chains; absent: all. */
  chains?: readonly string[];
  /** Only what this one did, or what was done on their behalf. */
  own?: string;
  /** Without sign-ins, keys and whatever else concerns no site. */
  sitesOnly?: boolean;
  /** With arguments and details. */
  full: boolean;
};

/** Owners and auditors see everything; others the calls of their sites, or their own, and how they went. */
export function viewOfPrincipal(principal: Principal): View {
  const { kind, role, scopes, sites, id } = principal;
  if (kind === 'agent') throw fail('forbidden', { needs: 'a signed-in person' });
  const chains = sites === '*' ? undefined : [...sites, deploymentChain];
  if (kind === 'local' || role === 'owner' || role === 'auditor') return withChains({ full: true }, chains);
  if (hasScope(scopes, 'activity:read-all')) return { sitesOnly: true, ...withChains({ full: false }, chains) };
  if (hasScope(scopes, 'activity:read')) return withChains({ own: id, full: false }, chains);
  throw fail('forbidden', { needs: 'activity:read' });
}

/** Through the tool: one's own calls, also those that concern no site, or all of the site's with `activity:read-all`. */
export function viewOfPermit({ principal, site, sites, scopes }: Permit): View {
  if (!hasScope(scopes, 'activity:read')) throw fail('scope_missing', { scope: 'activity:read' });
  const reached = site === undefined ? sites : [site];
  const chains = reached === '*' ? undefined : [...reached, deploymentChain];
  const everybody = hasScope(scopes, 'activity:read-all');
  return withChains({ full: false, ...(everybody ? { sitesOnly: true } : { own: principal.id }) }, chains);
}

function withChains(view: View, chains: readonly string[] | undefined): View {
  return chains === undefined ? view : { ...view, chains };
}
