import {
  hasScope,
  intersectScopes,
  type Principal,
  roleScopes,
  type Scope,
  type Scopes,
} from '@cloudhal/shared/policy';

/** A declared skill as far as it matters here. Names that are no scopes grant nothing. */
export type SkillScopes = { name: string; scopes: readonly string[] };

/** What the principal holds: never more than its role, or its owner's role, reaches. */
export function heldScopes({ scopes, role }: Pick<Principal, 'scopes' | 'role'>): Scopes {
  return role === undefined ? scopes : intersectScopes(scopes, roleScopes[role]);
}

/** A declared skill narrows and never widens. */
export function narrowScopes(held: Scopes, skill?: SkillScopes): Scopes {
  return skill === undefined ? held : intersectScopes(held, skill.scopes as readonly Scope[]);
}

/** The first scope that is needed and not held. */
export function missingScope(held: Scopes, needed: readonly Scope[]): Scope | undefined {
  return needed.find((scope) => !hasScope(held, scope));
}
