import type { SiteRules as SiteRulesSchema } from '@cloudhal/shared/contracts';
import type { PersonAttested } from '@cloudhal/shared/policy';
import type { Static } from 'typebox';

export type SiteRules = Static<typeof SiteRulesSchema>;

/** What holds on a site whose owner has said nothing. No window: publishing is open at all times. */
export const defaultSiteRules: SiteRules = {
  smallPublishNodes: 5,
  personAttested: 'off',
  confirmTokenFallback: true,
  taintMinutes: 30,
  fourEyes: false,
};

const strictness: readonly PersonAttested[] = ['off', 'always-person', 'all'];

/** Deployment, site and key each have a say on who must answer: the strictest wins. */
export function strictestAttestation(...wishes: readonly PersonAttested[]): PersonAttested {
  return wishes.reduce((a, b) => (strictness.indexOf(b) > strictness.indexOf(a) ? b : a), 'off');
}
