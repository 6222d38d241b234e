import type { Principal } from '@cloudhal/shared/policy';
import type { Facts } from '../decide.ts';
import { defaultSiteRules } from '../site-rules.ts';
import type { Change } from '../small-publish.ts';

/** A remote agent in the usual mode with all scopes. */
export const anAgent: Principal = {
  id: 'agent:k1',
  kind: 'agent',
  name: 'Writer',
  owner: 'u1',
  role: 'owner',
  keyId: 'k1',
  keyGeneration: 1,
  mode: 'edits',
  scopes: '*',
  sites: '*',
  remote: true,
  personAttested: 'off',
  confirmTokenFallback: true,
};

export const aDeveloper: Principal = {
  id: 'local',
  kind: 'local',
  name: 'Local developer',
  mode: 'edits',
  scopes: '*',
  sites: '*',
  remote: false,
  personAttested: 'off',
  confirmTokenFallback: true,
};

export const aPerson: Principal = {
  id: 'person:u1',
  kind: 'person',
  name: 'Olga',
  role: 'owner',
  mode: 'edits',
  scopes: '*',
  sites: '*',
  remote: false,
  personAttested: 'off',
  confirmTokenFallback: true,
};

/** What a publish of one article computes to. */
export const aSmallChange: Change = {
  effect: 'auto-publish',
  reasons: [],
  nodes: 1,
  articlesOnly: true,
  embargoed: [],
  problems: [],
};

/** An edit by a remote agent on a site whose owner has said nothing. */
export const someFacts: Facts = {
  principal: anAgent,
  tool: { name: 'update_page', effect: 'edit', scopes: ['content:write'] },
  arguments: {},
  site: 'site_1',
  rules: defaultSiteRules,
  tainted: false,
  now: new Date('2026-03-02T10:00:00Z'),
};
