import type { IncomingMessage } from 'node:http';
import { fail } from '@cloudhal/shared/errors';
import type { Principal } from '@cloudhal/shared/policy';
import type { Toolset } from '@cloudhal/shared/tool';
import { limiterAddress, network } from '../client-address.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { matchSecret, principalOf } from './check-key.ts';
import { credentialOf } from './credentials.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import type { KeyCache } from './key-cache.ts';
import { type KeyParts, type Pepper, parseKey } from './key-format.ts';
import type { KeyUsage } from './key-usage.ts';
import type { PrincipalTokens } from './principal-tokens.ts';

/** What the MCP handler finds as `req.auth`: who calls, and their signed form, which is made anew as it grows old. */
export type AgentAuth = {
  /** Names the credential in logs and bindings; not the secret. */
  token: string;
  clientId: string;
  scopes: string[];
  extra: { principal: Principal; principalToken: () => string; toolsets?: Toolset[]; ratePerMinute?: number };
};

export type Authenticate = (request: IncomingMessage, address: string | undefined) => Promise<AgentAuth>;

/**
 * The agent key of a request, and nothing else: a session cookie or the deployment's own token opens nothing here. Unknown,
 * revoked and expired keys are refused alike. Throws `unauthorized`, `conflicting_credentials`, `not_a_member`,
 * `rate_limited`, or `storage_unavailable` where the key cannot be looked up.
 */
export function createAuthenticate(deps: {
  cache: KeyCache;
  peppers: readonly Pepper[];
  usage: KeyUsage;
  failures: FailedAttempts;
  limiter: RateLimiter;
  principalTokens: PrincipalTokens;
}): Authenticate {
  const { cache, peppers, usage, failures, limiter, principalTokens } = deps;

  async function lookUp(parts: KeyParts): Promise<AgentAuth | undefined> {
    const record = await cache.get(parts.keyId);
    const matched = matchSecret(record, parts, peppers);
    if (!record?.live || !matched) return undefined;
    const principal = principalOf(record);
    if (!principal) throw fail('not_a_member');
    usage.seen(record, parts, matched);
    return {
      token: `chk_live_${record.id}`,
      clientId: principal.id,
      scopes: principal.scopes === '*' ? ['*'] : [...principal.scopes],
      extra: {
        principal,
        principalToken: () => principalTokens(principal),
        ...(record.toolsets && { toolsets: record.toolsets }),
        ...(record.ratePerMinute !== null && { ratePerMinute: record.ratePerMinute }),
      },
    };
  }

  return async (request, address) => {
    const credential = credentialOf(request);
    const parts = credential === undefined ? undefined : parseKey(credential);
    const auth = parts && (await lookUp(parts));
    if (auth) return auth;
    if (credential !== undefined) {
      failures.add({ credential: 'agent key', prefix: parts?.keyId ?? 'malformed', network: network(address) });
      await limiter.take('failedAuth', limiterAddress(address));
    }
    throw fail('unauthorized');
  };
}

/** The challenge of a 401 (RFC 6750): without an error code where no credential was sent. */
export function challengeFor({ headers }: IncomingMessage): string {
  const sent = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
  return `Bearer realm="cloudhal"${sent ? ', error="invalid_token", error_description="The credential is not a valid agent key."' : ''}`;
}
