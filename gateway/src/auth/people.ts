import type { IncomingHttpHeaders } from 'node:http';
import { mapDatabaseError } from '@cloudhal/shared/database/errors';
import { fail } from '@cloudhal/shared/errors';
import { type Principal, roleScopes } from '@cloudhal/shared/policy';
import { type AccountsDeps, openAccounts } from './accounts.ts';
import type { Member } from './agent-keys.ts';
import { personId } from './check-key.ts';

/** Somebody who is signed in. */
export type Person = {
  member: Member;
  email: string;
  principal: Principal;
  /** Signed in a short while ago, as decisions that always need a person ask for. */
  recentSignIn: boolean;
  /** Absent: the developer at this machine, who has none. */
  sessionId?: string;
};

export type People = {
  /** The person of a session cookie. Throws `sign_in_required`, or `not_a_member` once they were removed. */
  person(headers: Pick<IncomingHttpHeaders, 'cookie'>): Promise<Person>;
  /** Better Auth's own answer to a request below `/api/auth`. */
  answer(request: Request): Promise<Response>;
  /** The user of a session cookie, whether they belong here or not. */
  user(cookie: string): Promise<{ id: string; name: string; email: string } | undefined>;
  /** The user whom the link to reset a password was mailed to. */
  resetting(token: string): Promise<{ id: string; name: string } | undefined>;
  close(): Promise<void>;
};

export type PeopleDeps = AccountsDeps & {
  /** Whoever is not signed in is the developer at this machine. */
  noAuth: boolean;
};

/** Whoever proved who they are after this long ago signed in recently. */
export const recentSignInMs = 10 * 60_000;

/** Accounts and sessions, kept by Better Auth. It is loaded on first use: agents never need it. */
export function createPeople(deps: PeopleDeps): People {
  const { members, noAuth } = deps;
  let accounts: ReturnType<typeof openAccounts> | undefined;
  const opened = () => {
    accounts ??= openAccounts(deps);
    return accounts;
  };
  async function sessionOf(cookie: string) {
    const { api } = await opened();
    return api.getSession({ headers: new Headers({ cookie }) }).catch(refuse);
  }

  return {
    async person({ cookie }) {
      if (noAuth) {
        const member = await members.local('local developer');
        return { member, email: '', principal: personPrincipal(member), recentSignIn: true };
      }
      if (cookie === undefined) throw fail('sign_in_required');
      const found = await sessionOf(cookie);
      if (!found) throw fail('sign_in_required');
      const member = await members.find(found.user.id);
      if (!member) throw fail('not_a_member');
      return {
        member,
        email: found.user.email,
        principal: personPrincipal(member),
        recentSignIn: Date.now() - (found.session.authenticatedAt?.getTime() ?? 0) < recentSignInMs,
        sessionId: found.session.id,
      };
    },
    answer: async (request) => (await opened()).handler(request),
    user: async (cookie) => (await sessionOf(cookie))?.user,
    resetting: async (token) => (await opened()).resetting(token).catch(refuse),
    async close() {
      if (accounts) await (await accounts).close();
    },
  };
}

/** Better Auth wraps what its store said. */
function refuse(error: unknown): never {
  throw mapDatabaseError(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

export function personPrincipal(member: Member): Principal {
  return {
    id: personId(member.id),
    kind: 'person',
    name: member.name,
    role: member.role,
    // People have no mode: policy goes by the role alone.
    mode: 'bypass',
    scopes: roleScopes[member.role],
    sites: '*',
    remote: false,
    personAttested: 'off',
    confirmTokenFallback: false,
  };
}
