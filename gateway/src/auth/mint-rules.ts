import { fail } from '@cloudhal/shared/errors';
import {
  hasScope,
  intersectScopes,
  type Mode,
  modeAtMost,
  modes,
  type Principal,
  type Role,
  roleMode,
  roleScopes,
  type Scope,
  type Scopes,
  scopes,
} from '@cloudhal/shared/policy';
import { type Toolset, toolsets } from '@cloudhal/shared/tool';
import { type Static, Type } from 'typebox';

const oneOf = <T extends string>(values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: values });
const allOr = <T extends string>(value: object, maxItems: number) =>
  Type.Unsafe<T[] | '*'>({
    anyOf: [
      { type: 'string', enum: ['*'] },
      { type: 'array', items: value, maxItems },
    ],
  });

const rights = {
  mode: oneOf<Mode>(modes),
  /** `*` is all scopes, now and later. */
  scopes: allOr<Scope>(oneOf<Scope>(scopes), scopes.length),
  /** Ids of sites; `*` is all, now and later. */
  sites: allOr<string>(Type.String({ minLength: 1, maxLength: 100 }), 200),
  toolsets: Type.Array(oneOf<Toolset>(toolsets), { maxItems: toolsets.length }),
  personAttested: oneOf(['off', 'always-person', 'all'] as const),
  confirmTokenFallback: Type.Boolean(),
};
/** Days from now on. */
const expiresInDays = Type.Integer({ minimum: 1, maximum: 365 });
/** Calls a minute; what the deployment allows stays the most. */
const ratePerMinute = Type.Integer({ minimum: 1, maximum: 10_000 });
const name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\p{C}]*$' });

/** What a person may say about a key that they make. Owner, id, generation and the like are never theirs to say. */
export const KeyWish = Type.Object(
  {
    name,
    scopes: rights.scopes,
    mode: Type.Optional(rights.mode),
    sites: Type.Optional(rights.sites),
    toolsets: Type.Optional(rights.toolsets),
    personAttested: Type.Optional(rights.personAttested),
    confirmTokenFallback: Type.Optional(rights.confirmTokenFallback),
    expiresInDays: Type.Optional(expiresInDays),
    ratePerMinute: Type.Optional(ratePerMinute),
  },
  { additionalProperties: false },
);
export type KeyWish = Static<typeof KeyWish>;

/** What may be changed on a key that exists. */
export const KeyChange = Type.Object(
  {
    name: Type.Optional(name),
    scopes: Type.Optional(rights.scopes),
    mode: Type.Optional(rights.mode),
    sites: Type.Optional(rights.sites),
    toolsets: Type.Optional(rights.toolsets),
    personAttested: Type.Optional(rights.personAttested),
    confirmTokenFallback: Type.Optional(rights.confirmTokenFallback),
    expiresInDays: Type.Optional(expiresInDays),
    /** `null`: as much as the deployment allows; so with an empty list of toolsets. */
    ratePerMinute: Type.Optional(Type.Unsafe<number | null>({ ...ratePerMinute, type: ['integer', 'null'] })),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type KeyChange = Static<typeof KeyChange>;

/** How a key gets a new secret; one that has expired is renewed by it. */
export const KeyRotation = Type.Object(
  {
    overlapHours: Type.Optional(Type.Integer({ minimum: 0, maximum: 24 })),
    expiresInDays: Type.Optional(expiresInDays),
  },
  { additionalProperties: false },
);
export type KeyRotation = Static<typeof KeyRotation>;

export type Rights = { mode: Mode; scopes: Scopes };

/** Days that a key lives when nothing is said. */
export const defaultLifetimeDays = 90;

/** The mode of a key when nothing is said: the usual one, as far as the role goes. */
export function defaultMode(role: Role): Mode {
  return modeAtMost('edits', roleMode[role]);
}

/** A key never has more than its owner's role: throws `scope_missing` or `forbidden` where a wish goes beyond it. */
export function checkRights(wish: Partial<Rights>, role: Role): void {
  const held = roleScopes[role];
  if (wish.scopes === '*' && held !== '*') throw fail('forbidden', { needs: 'a role that has all scopes' });
  if (wish.scopes !== undefined && wish.scopes !== '*') {
    const beyond = wish.scopes.find((scope) => !hasScope(held, scope));
    if (beyond !== undefined) throw fail('scope_missing', { scope: beyond });
  }
  if (wish.mode !== undefined && modeAtMost(wish.mode, roleMode[role]) !== wish.mode) {
    throw fail('forbidden', { needs: `a role whose keys may have the mode ${wish.mode}` });
  }
}

/** What a key may do today: its rights within its owner's present role. */
export function rightsWithin({ mode, scopes: granted }: Rights, role: Role): Rights {
  return { mode: modeAtMost(mode, roleMode[role]), scopes: intersectScopes(granted, roleScopes[role]) };
}

/** Who a call with such a key would run as, were it made by this member. Throws where they may not make it. */
export function wishedPrincipal(
  { mode: wished, scopes: wishedScopes, sites = '*' }: Pick<KeyWish, 'scopes' | 'mode' | 'sites'>,
  { id, role }: { id: string; role: Role },
): Principal {
  const mode = wished ?? defaultMode(role);
  checkRights({ mode, scopes: wishedScopes }, role);
  return {
    id: `agent:wish:${id}`,
    kind: 'agent',
    name: 'A key that is not made yet',
    role,
    mode,
    scopes: wishedScopes,
    sites,
    remote: true,
    personAttested: 'off',
    confirmTokenFallback: true,
  };
}

/** What a person should think about before they use such a key. */
export function warningsFor({ scopes: granted }: Pick<Rights, 'scopes'>): string[] {
  if (hasScope(granted, 'comments:read') && hasScope(granted, 'publish')) {
    return [
      'This key reads comments, which strangers write, and may publish. Two keys, one for each, are safer: what a comment says then cannot reach a call that publishes.',
    ];
  }
  return [];
}
