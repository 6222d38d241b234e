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
  /** With the details of what is no call: what was changed, by whom it was asked for. */
  details: boolean;
  /** With the arguments of calls. */
  arguments: boolean;
};

const short = { details: false, arguments: false };

/**
 * Owners and auditors see every event; others the calls of their sites, or their own, and how they went. What a call was
 * told to do is for auditors, and for the developer at their own machine.
 */
export function viewOfPrincipal(principal: Principal): View {
  const { kind, role, scopes, sites, id } = principal;
  if (kind === 'agent') throw fail('forbidden', { needs: 'a signed-in person' });
  const chains = sites === '*' ? undefined : [...sites, deploymentChain];
  if (kind === 'local' || role === 'owner' || role === 'auditor') {
    return withChains({ details: true, arguments: role === 'auditor' || id === 'local' }, chains);
  }
  if (hasScope(scopes, 'activity:read-all')) return { sitesOnly: true, ...withChains(short, chains) };
  if (hasScope(scopes, 'activity:read')) return withChains({ own: id, ...short }, chains);
  throw fail('forbidden', { needs: 'activity:read' });
}

/** Whether all of the record is theirs to read, and so to verify. */
export function mustSeeAll(principal: Principal): void {
  if (!viewOfPrincipal(principal).details) throw fail('forbidden', { needs: 'an owner or an auditor' });
}

/** Through the tool: one's own calls, also those that concern no site, or all of the site's with `activity:read-all`. */
export function viewOfPermit({ principal, site, sites, scopes }: Permit): View {
  if (!hasScope(scopes, 'activity:read')) throw fail('scope_missing', { scope: 'activity:read' });
  const reached = site === undefined ? sites : [site];
  const chains = reached === '*' ? undefined : [...reached, deploymentChain];
  const everybody = hasScope(scopes, 'activity:read-all');
  return withChains({ ...short, ...(everybody ? { sitesOnly: true } : { own: principal.id }) }, chains);
}

function withChains(view: View, chains: readonly string[] | undefined): View {
  return chains === undefined ? view : { ...view, chains };
}
