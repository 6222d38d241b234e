import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fail } from '@cloudhal/shared/errors';
import { limiterAddress, network } from '../client-address.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { credentialOf } from './credentials.ts';
import type { FailedAttempts } from './failed-attempts.ts';

/** Admits whoever runs the deployment; throws `unauthorized`. Without a token nobody is admitted. */
export type AdmitOperator = (request: IncomingMessage, address: string | undefined) => Promise<void>;

export function createAdmitOperator(deps: {
  token: string | undefined;
  failures: FailedAttempts;
  limiter: RateLimiter;
}): AdmitOperator {
  const { token, failures, limiter } = deps;
  const expected = token && digest(token);
  return async (request, address) => {
    const credential = credentialOf(request);
    if (expected && credential && timingSafeEqual(digest(credential), expected)) return;
    if (credential !== undefined) {
      failures.add({ credential: 'deployment token', prefix: 'deployment token', network: network(address) });
      await limiter.take('failedAuth', limiterAddress(address));
    }
    throw fail('unauthorized');
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
