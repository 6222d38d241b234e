import type { BetterAuthOptions } from 'better-auth';

type Hooks = NonNullable<BetterAuthOptions['databaseHooks']>;

/**
 * Notes with each new session when its person proved who they are. A password proves it at once. A provider may go by a
 * session of its own that is days old: then it counts as of the `auth_time` of the ID token, and as never where that is missing.
 */
export function authenticationHooks(): Pick<Hooks, 'account' | 'session'> {
  // The token was verified before it is kept with the account; the session follows within the same request.
  const provedIn = new WeakMap<object, Date | undefined>();
  const note = async ({ idToken }: { idToken?: string | null }, request: object | null | undefined) => {
    if (request && idToken) provedIn.set(request, authTimeOf(idToken));
  };
  return {
    account: { create: { before: note }, update: { before: note } },
    session: {
      create: {
        before: async (_session, request) => {
          const byProvider = request?.path?.startsWith('/callback/') ?? true;
          return { data: { authenticatedAt: byProvider ? request && provedIn.get(request) : new Date() } };
        },
      },
    },
  };
}

function authTimeOf(idToken: string): Date | undefined {
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as {
    auth_time?: unknown;
  };
  // A clock that is ahead makes nothing newer than it is.
  return typeof claims.auth_time === 'number' ? new Date(Math.min(claims.auth_time * 1_000, Date.now())) : undefined;
}
