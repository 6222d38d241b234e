import type { IncomingHttpHeaders } from 'node:http';
import { mapDatabaseError } from '@cloudhal/shared/database/errors';
import { fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import { type Principal, roleScopes } from '@cloudhal/shared/policy';
import pg from 'pg';
import type { Member } from './agent-keys.ts';
import { personId } from './check-key.ts';
import type { Members } from './members.ts';

/** Somebody who is signed in. */
export type Person = {
  member: Member;
  email: string;
  principal: Principal;
  /** Signed in a short while ago, as decisions that always need a person ask for. */
  recentSignIn: boolean;
};

export type People = {
  /** The person of a session cookie. Throws `sign_in_required`, or `not_a_member` once they were removed. */
  person(headers: IncomingHttpHeaders): Promise<Person>;
  /** Better Auth's own answer to a request below `/api/auth`. */
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
};

export type PeopleDeps = {
  databaseUrl: string;
  /** At least 32 bytes; signs the cookies. */
  secret: Buffer;
  publicUrl: string;
  trustedOrigins: string[];
  members: Members;
  /** Whoever is not signed in is the developer at this machine. */
  noAuth: boolean;
  log: Log;
};

/** A sign-in younger than this counts as recent. */
export const recentSignInMs = 10 * 60_000;

/** The header that tells Better Auth the client's address; what a client sends under this name never arrives. */
export const addressHeader = 'x-internal-client-address';

/** Accounts and sessions, kept by Better Auth. It is loaded on first use: agents never need it. */
export function createPeople(deps: PeopleDeps): People {
  const { members, noAuth } = deps;
  let auth: ReturnType<typeof load> | undefined;
  const loaded = () => {
    auth ??= load(deps);
    return auth;
  };

  return {
    async person({ cookie }) {
      if (noAuth) {
        const member = await members.local('local developer');
        return { member, email: '', principal: personPrincipal(member), recentSignIn: true };
      }
      if (cookie === undefined) throw fail('sign_in_required');
      const { api } = await loaded();
      const found = await api.getSession({ headers: new Headers({ cookie }) }).catch((error: unknown) => {
        throw mapDatabaseError(causeOf(error));
      });
      if (!found) throw fail('sign_in_required');
      const member = await members.find(found.user.id);
      if (!member) throw fail('not_a_member');
      return {
        member,
        email: found.user.email,
        principal: personPrincipal(member),
        recentSignIn: Date.now() - found.session.createdAt.getTime() < recentSignInMs,
      };
    },
    answer: async (request) => (await loaded()).handler(request),
    async close() {
      if (auth) await (await auth).close();
    },
  };
}

/** Better Auth wraps what its store said. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
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

async function load({ databaseUrl, secret, publicUrl, trustedOrigins, log }: PeopleDeps) {
  const { betterAuth } = await import('better-auth');
  const pool = openPool(databaseUrl);
  pool.on('error', (error) => log.warn({ err: error }, 'an idle connection of the accounts broke'));
  const secure = publicUrl.startsWith('https:');
  const auth = betterAuth({
    database: pool,
    secret: secret.toString('base64'),
    // Without the path below which a proxy serves us: it would be taken for the one of its routes.
    baseURL: new URL(publicUrl).origin,
    trustedOrigins: trustedOrigins,
    // Accounts are made by invitation, see members.ts.
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 128 },
    session: { expiresIn: 7 * 86_400, updateAge: 86_400, cookieCache: { enabled: false } },
    advanced: {
      // `__Host-`: no sub-domain can set it. Better Auth itself would put `__Secure-` in front.
      useSecureCookies: false,
      cookiePrefix: secure ? '__Host-cloudhal' : 'cloudhal',
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    // Ours is shared by all replicas, see rate-limit.ts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      log: (level, message) => log[level === 'error' ? 'error' : 'warn']({ library: 'better-auth' }, message),
    },
  });
  return {
    api: auth.api,
    handler: auth.handler,
    async close() {
      await pool.end();
    },
  };
}

/** Better Auth names its tables without a schema. */
function openPool(databaseUrl: string): pg.Pool {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} -c search_path=gateway`.trim());
  return new pg.Pool({
    connectionString: url.href,
    application_name: 'cloudhal-gateway-accounts',
    max: 4,
    connectionTimeoutMillis: 1_000,
    query_timeout: 5_000,
    statement_timeout: 4_000,
    idle_in_transaction_session_timeout: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
}
