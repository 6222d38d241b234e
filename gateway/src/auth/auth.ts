import type { Bus } from '@cloudhal/shared/bus/bus';
import { events } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import type { Log } from '@cloudhal/shared/log';
import type { Signer } from '@cloudhal/shared/permit';
import type { Mailer } from '../mailer.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { SingleSignOn } from './accounts.ts';
import { createAgentKeys } from './agent-keys.ts';
import { createKeyAnnouncer } from './announce-key.ts';
import { createAuthenticate } from './authenticate.ts';
import { createAdmitOperator } from './deployment-token.ts';
import { createFailedAttempts } from './failed-attempts.ts';
import { createKeyCache } from './key-cache.ts';
import { peppers as identified } from './key-format.ts';
import { readKey } from './key-records.ts';
import { createKeyUsage } from './key-usage.ts';
import { createMembers } from './members.ts';
import { createPeople } from './people.ts';
import { createPresentPrincipal } from './present-principal.ts';
import { createPrincipalTokens } from './principal-tokens.ts';
import { createSessions } from './sessions.ts';

export type Secrets = {
  /** The newest first; the one before it as long as keys that were made with it are in use. */
  peppers: Buffer[];
  /** Signs session cookies. */
  session: Buffer;
  /** Opens `/api/admin`; without one it stays shut. */
  deploymentToken?: string;
};

export type AuthDeps = {
  bus: Bus;
  keyValue: KeyValue;
  database: Database;
  databaseUrl: string;
  log: Log;
  signer: Signer;
  secrets: Secrets;
  limiter: RateLimiter;
  publicUrl: string;
  origins: ReadonlySet<string>;
  /** Whoever is not signed in is the developer at this machine. */
  noAuth: boolean;
  mailer?: Mailer;
  singleSignOn?: SingleSignOn;
};

export type Auth = Awaited<ReturnType<typeof createAuth>>;

/** Everybody who may come in: agents with keys, people with sessions, the operator with the deployment's token. */
export async function createAuth(deps: AuthDeps) {
  const { bus, keyValue, database, log, limiter, secrets } = deps;
  const peppers = identified(secrets.peppers);
  const cache = createKeyCache((keyId) => readKey(database, keyId));
  const usage = createKeyUsage({ database, peppers, log });
  const failures = createFailedAttempts({ database, log });
  const principalTokens = createPrincipalTokens(deps.signer);
  const announcer = createKeyAnnouncer({ bus, database, keyValue, log });
  const { mailer, singleSignOn } = deps;
  const members = createMembers({
    database,
    announcer,
    ...(singleSignOn?.role && { defaultRole: singleSignOn.role }),
  });
  const people = createPeople({
    database,
    ...(mailer && { mailer }),
    ...(singleSignOn && { singleSignOn }),
    databaseUrl: deps.databaseUrl,
    secret: secrets.session,
    publicUrl: deps.publicUrl,
    trustedOrigins: [...deps.origins],
    members,
    noAuth: deps.noAuth,
    log,
  });
  const stopListening = await bus.subscribe(events.keysChanged, ({ keyId }) => cache.forget(keyId));

  return {
    authenticate: createAuthenticate({ cache, peppers, usage, failures, limiter, principalTokens }),
    admitOperator: createAdmitOperator({ token: secrets.deploymentToken, failures, limiter }),
    agentKeys: createAgentKeys({ database, peppers, announcer }),
    members,
    people,
    sessions: createSessions(database),
    principalTokens,
    failures,
    presentPrincipal: createPresentPrincipal({ database, members, principalTokens }),
    async stop() {
      await stopListening();
      await Promise.all([announcer.stop(), usage.stop(), failures.stop(), people.close()]);
    },
  };
}
