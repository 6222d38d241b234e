import type { Database } from '@cloudhal/shared/database';
import { newId } from '@cloudhal/shared/ids';
import type { Log } from '@cloudhal/shared/log';
import type { Role } from '@cloudhal/shared/policy';
import pg from 'pg';
import type { Mailer } from '../mailer.ts';
import { authenticationHooks } from './authenticated-at.ts';
import type { Members } from './members.ts';

/** An OpenID Connect provider that people may sign in with. */
export type SingleSignOn = {
  /** Its issuer, such as `https://login.example.com`; the rest is discovered. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** As the button says it. */
  name: string;
  /** Of whoever the provider knows and nobody invited; absent: they are refused. */
  role?: Role;
};

export type AccountsDeps = {
  database: Database;
  databaseUrl: string;
  /** At least 32 bytes; signs the cookies. */
  secret: Buffer;
  publicUrl: string;
  trustedOrigins: string[];
  members: Members;
  /** Absent: nobody can reset a password by mail. */
  mailer?: Mailer;
  singleSignOn?: SingleSignOn;
  log: Log;
};

/** The provider's id in the tables and in addresses. */
export const ssoId = 'sso';
const prefixes: Record<string, string> = { user: 'usr', session: 'ses', account: 'acc', verification: 'ver' };

/** Better Auth, set up: accounts, sessions, passwords, single sign-on. */
export async function openAccounts(deps: AccountsDeps) {
  const { publicUrl, members, mailer, singleSignOn, log } = deps;
  const { betterAuth } = await import('better-auth');
  const plugins = singleSignOn ? [await ssoPlugin(singleSignOn, publicUrl)] : [];
  const pool = openPool(deps.databaseUrl);
  pool.on('error', (error) => log.warn({ err: error }, 'an idle connection of the accounts broke'));
  const secure = publicUrl.startsWith('https:');
  const auth = betterAuth({
    database: pool,
    secret: deps.secret.toString('base64'),
    // Without the path below which a proxy serves us: it would be taken for the one of its routes.
    baseURL: new URL(publicUrl).origin,
    trustedOrigins: deps.trustedOrigins,
    emailAndPassword: {
      enabled: true,
      // Accounts are made by invitation, see members.ts.
      disableSignUp: true,
      minPasswordLength: 12,
      maxPasswordLength: 128,
      resetPasswordTokenExpiresIn: 3_600,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => proveAddress(deps.database, user.id),
      ...(mailer && {
        sendResetPassword: ({ user, token }: { user: { id: string; email: string }; token: string }) =>
          mailReset(deps.database, mailer, user, `${publicUrl}/studio/reset-password?token=${token}`),
      }),
    },
    session: {
      expiresIn: 7 * 86_400,
      updateAge: 86_400,
      cookieCache: { enabled: false },
      additionalFields: { authenticatedAt: { type: 'date', required: false, input: false } },
    },
    // An account of a provider joins one that is there only where both have proved the address.
    account: { accountLinking: { enabled: true, requireLocalEmailVerified: true } },
    databaseHooks: {
      ...authenticationHooks(),
      // Better Auth makes an account only after a single sign-on; whoever is not invited gets none.
      user: { create: { before: async (user) => user.emailVerified && (await members.mayJoin(user.email)) } },
    },
    plugins,
    onAPIError: { errorURL: `${publicUrl}/studio/sign-in` },
    advanced: {
      // `__Host-`: no sub-domain can set it. Better Auth itself would put `__Secure-` in front.
      useSecureCookies: false,
      cookiePrefix: secure ? '__Host-cloudhal' : 'cloudhal',
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: ({ model }) => newId(prefixes[model] ?? 'row') },
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
    async resetting(token: string) {
      const { internalAdapter } = await auth.$context;
      const link = await internalAdapter.findVerificationValue(`reset-password:${token}`);
      return (link && link.expiresAt > new Date() && (await internalAdapter.findUserById(link.value))) || undefined;
    },
    async close() {
      await pool.end();
    },
  };
}

/** The header that tells Better Auth the client's address; what a client sends under this name never arrives. */
export const addressHeader = 'x-internal-client-address';

async function ssoPlugin({ issuer, clientId, clientSecret }: SingleSignOn, publicUrl: string) {
  const { genericOAuth } = await import('better-auth/plugins/generic-oauth');
  return genericOAuth({
    config: [
      {
        providerId: ssoId,
        discoveryUrl: `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        redirectURI: `${publicUrl}/api/auth/callback/${ssoId}`,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
      },
    ],
  });
}

/** Somebody who signs in elsewhere has no password to reset, and gets none this way. */
async function mailReset(database: Database, mailer: Mailer, user: { id: string; email: string }, link: string) {
  const [own] = await database.query(
    `SELECT 1 FROM gateway."account" WHERE "userId" = $1 AND "providerId" = 'credential'`,
    [user.id],
  );
  if (!own) return;
  mailer.send({
    to: user.email,
    subject: 'Choose a new password for Cloudhal',
    text: `Somebody, probably you, asked for a new password for this address.\n\nChoose it here, within an hour:\n${link}\n\nIf it was not you, there is nothing to do: your password stays as it is.\n`,
  });
}

/** Whoever read the mail has the address. */
async function proveAddress(database: Database, userId: string): Promise<void> {
  await database.query('UPDATE gateway."user" SET "emailVerified" = true WHERE "id" = $1', [userId]);
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
