/** The words that policy is spoken in, shared by every room. The rules themselves live in policy-service. */

export const modes = ['plan', 'manual', 'edits', 'auto', 'bypass'] as const;
/** How much an agent does on its own. */
export type Mode = (typeof modes)[number];

export const effects = ['read', 'view', 'edit', 'delete', 'publish', 'auto-publish', 'person', 'ask'] as const;
/**
 * What a tool does to the world: the risk class of the catalogue in words.
 * read R, view V, edit E, delete D, publish P, auto-publish A, person H (always a person), ask Q.
 */
export type Effect = (typeof effects)[number];

export const roles = ['owner', 'editor', 'reviewer', 'auditor'] as const;
export type Role = (typeof roles)[number];

export const scopes = [
  'activity:read',
  'activity:read-all',
  'analytics:read',
  'checks:run',
  'comments:moderate',
  'comments:read',
  'comments:triage',
  'content:delete',
  'content:read',
  'content:write',
  'design:read',
  'design:write',
  'media:read',
  'media:write',
  'menus:write',
  'people:write',
  'preview',
  'publish',
  'redirects:read',
  'redirects:write',
  'releases:read',
  'releases:write',
  'schema:read',
  'schema:write',
  'site:read',
  'site:write',
  'snapshots:read',
  'snapshots:write',
  'taxonomy:write',
  'translations:write',
] as const;
export type Scope = (typeof scopes)[number];
/** A principal's scopes: `*` is all of them, now and later. */
export type Scopes = readonly Scope[] | '*';

/** Who answers approvals: anyone the client asks, or only a signed-in person in Studio. */
export type PersonAttested = 'off' | 'always-person' | 'all';

/** The one organisation of a deployment. */
export const tenant = 'default';

/** Who a call runs as. Built by the gateway from a credential, signed, and believed nowhere unsigned. */
export type Principal = {
  /** `agent:<key id>`, `person:<user id>`, or `local` for the developer at a stdio server. */
  id: string;
  kind: 'agent' | 'person' | 'local';
  /** As shown to people. */
  name: string;
  /** The person a key belongs to. */
  owner?: string;
  role?: Role;
  keyId?: string;
  /** Grows with each rotation or change of a key; permits of an older one are refused. */
  keyGeneration?: number;
  /** A person has no mode: what the role reaches is allowed. */
  mode: Mode;
  scopes: Scopes;
  sites: readonly string[] | '*';
  /** Called over the network with an agent key: `bypass` then works as `edits`. */
  remote: boolean;
  personAttested: PersonAttested;
  confirmTokenFallback: boolean;
};

/** The scopes of each role; a key never has more than its owner's role. */
export const roleScopes: Record<Role, Scopes> = {
  owner: '*',
  editor: '*',
  reviewer: [
    'site:read',
    'schema:read',
    'content:read',
    'media:read',
    'design:read',
    'redirects:read',
    'releases:read',
    'snapshots:read',
    'comments:read',
    'analytics:read',
    'activity:read',
    'preview',
    'checks:run',
  ],
  auditor: [
    'site:read',
    'schema:read',
    'content:read',
    'media:read',
    'design:read',
    'redirects:read',
    'releases:read',
    'snapshots:read',
    'comments:read',
    'analytics:read',
    'activity:read',
    'activity:read-all',
  ],
};

/** The most autonomous mode a key of this role's owner may have. */
export const roleMode: Record<Role, Mode> = { owner: 'bypass', editor: 'bypass', reviewer: 'plan', auditor: 'plan' };

export function hasScope(held: Scopes, needed: Scope): boolean {
  return held === '*' || held.includes(needed);
}

/** What two scope sets have in common. */
export function intersectScopes(a: Scopes, b: Scopes): Scopes {
  if (a === '*') return b;
  if (b === '*') return a;
  return a.filter((scope) => b.includes(scope));
}

export function modeAtMost(mode: Mode, limit: Mode): Mode {
  return modes.indexOf(mode) <= modes.indexOf(limit) ? mode : limit;
}
