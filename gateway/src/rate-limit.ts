import { contentHash } from '@cloudhal/shared/canonical-json';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { KeyValue, RateLimit, RateVerdict } from '@cloudhal/shared/key-value/key-value';
import type { Log } from '@cloudhal/shared/log';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import type { Principal } from '@cloudhal/shared/policy';
import type { Catalogue } from '@cloudhal/shared/tool';
import { createLocalRateLimit, shareOf } from './local-rate-limit.ts';

export type Limits = {
  /** Requests to `/mcp` with one key. */
  key: RateLimit;
  /** Requests to `/mcp` with all keys of one owner, so that more keys are not more calls. */
  owner: RateLimit;
  /** Calls of one person in Studio: apart from what their agents use up, so that a busy agent keeps nobody from stopping it. */
  person: RateLimit;
  /** Calls with one key that change something. */
  mutation: RateLimit;
  /** Calls with one key that render pages or fetch from elsewhere. */
  heavy: RateLimit;
  /** Refused credentials from one address. */
  failedAuth: RateLimit;
  /** Sign-ins from one address, and for one e-mail address. */
  signIn: RateLimit;
  /** Pages of published sites and previews, for one address. */
  page: RateLimit;
  /** Comments from one address, and on one site. */
  comment: RateLimit;
  siteComments: RateLimit;
};

export const defaultLimits: Limits = {
  key: { perMinute: 60, burst: 20 },
  owner: { perMinute: 300, burst: 100 },
  person: { perMinute: 600, burst: 200 },
  mutation: { perMinute: 20, burst: 20 },
  heavy: { perMinute: 6, burst: 6 },
  failedAuth: { perMinute: 10, burst: 10 },
  signIn: { perMinute: 10, burst: 10 },
  page: pageLimit(1_200),
  comment: { perMinute: 3, burst: 6 },
  siteComments: { perMinute: 60, burst: 120 },
};

/** The limits of a deployment that lets a key make other than 60 calls a minute: what agents may do grows with it. */
export function limitsFor({ perMinute, burst }: RateLimit): Partial<Limits> {
  const { key } = defaultLimits;
  const grown = (limit: RateLimit): RateLimit => ({
    perMinute: Math.ceil((limit.perMinute * perMinute) / key.perMinute),
    burst: Math.ceil((limit.burst * burst) / key.burst),
  });
  const { owner, mutation, heavy } = defaultLimits;
  return { key: grown(key), owner: grown(owner), mutation: grown(mutation), heavy: grown(heavy) };
}

/** A page and what belongs to it are loaded at once, so the burst is large. */
export function pageLimit(perMinute: number): RateLimit {
  return { perMinute, burst: Math.ceil(perMinute / 2) };
}

export type RateLimiter = {
  /** Throws `rate_limited` once a bucket of `kind` is empty; buckets are shared by all replicas. `perMinute` can only lower it. */
  take(kind: keyof Limits, id: string, perMinute?: number): Promise<void>;
  limits: Limits;
};

/**
 * Where the KeyValue does not answer, each replica counts for itself with its part of the limit: people keep working, and
 * the limit still holds in sum. Once a minute that is logged and recorded.
 */
export function createRateLimiter(deps: {
  keyValue: KeyValue;
  database: Database;
  log: Log;
  limits?: Partial<Limits>;
  replicas?: number;
}): RateLimiter {
  const { keyValue, database, log, replicas = 1 } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const local = createLocalRateLimit();
  let reportedAt = Number.NEGATIVE_INFINITY;
  let awayUntil = Number.NEGATIVE_INFINITY;

  function reportDegraded(error: unknown): void {
    if (performance.now() - reportedAt < 60_000) return;
    reportedAt = performance.now();
    log.warn({ err: error, limiter: 'limiter_degraded', replicas }, 'the shared rate limit is away, counting locally');
    const event = auditEvent('gateway', {
      type: 'integrity.limiter_degraded',
      site: '_deployment',
      actor: { type: 'service', id: 'gateway' },
      details: { replicas },
    });
    database
      .transaction((tx) => putInOutbox(tx, 'gateway', event))
      .catch((failure: unknown) => log.warn({ err: failure }, 'a degraded rate limit could not be recorded'));
  }

  async function verdict(kind: keyof Limits, id: string, limit: RateLimit): Promise<RateVerdict> {
    const bucket = `rate:${kind}:${id}`;
    if (performance.now() >= awayUntil) {
      try {
        return await keyValue.take(bucket, limit);
      } catch (error) {
        // A server that hangs is not asked by every call: each would wait for its timeout.
        awayUntil = performance.now() + 1_000;
        reportDegraded(error);
      }
    }
    return local(bucket, shareOf(limit, replicas));
  }

  return {
    limits,
    async take(kind, id, most) {
      const limit = lowered(limits[kind], most);
      // Another limit is another bucket: what was used up under the one before does not count.
      const { allowed, retryAfterMs } = await verdict(kind, most === undefined ? id : `${id}:${most}`, limit);
      if (allowed) return;
      const { perMinute } = limit;
      const retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
      throw fail('rate_limited', { limit: `${perMinute} a minute`, retryAfter });
    },
  };
}

function lowered(limit: RateLimit, most: number | undefined): RateLimit {
  if (most === undefined) return limit;
  const { perMinute, burst } = limit;
  return { perMinute: Math.min(perMinute, most), burst: Math.min(burst, most) };
}

/** A question that a client was asked about one call, by the state that comes back with the answer. */
export type Question = { principal: Principal; tool: string; arguments: Record<string, unknown>; state: string };

export type Admission = {
  /** Refuses a call before it is made, for limits that depend on the tool. */
  admit(principal: Principal, tool: string): Promise<void>;
  /** A call that was paid for asked this. */
  expectAnswer(question: Question): Promise<void>;
  /** Whether this is the first answer to what was asked: it costs nothing more, so that no limit swallows a person's yes. */
  takeAnswer(question: Question): Promise<boolean>;
};

/** As long as policy-service seals a state for. */
const answerMs = 10 * 60_000;

/** For calls with a key. While the KeyValue is away, an answer costs what a call costs. */
export function createAdmission(deps: {
  limiter: RateLimiter;
  keyValue: KeyValue;
  catalogue: () => Promise<Catalogue>;
}): Admission {
  const { limiter, keyValue, catalogue } = deps;
  const nameOf = ({ principal: { id }, ...rest }: Question) => `question:${contentHash({ ...rest, id })}`;
  return {
    async admit({ keyId }, tool) {
      if (keyId === undefined) return;
      const facts = (await catalogue()).tools.find(({ name }) => name === tool);
      if (facts?.mutates) await limiter.take('mutation', keyId);
      if (facts?.pool === 'render' || facts?.annotations.openWorldHint) await limiter.take('heavy', keyId);
    },
    async expectAnswer(question) {
      if (question.principal.keyId === undefined) return;
      await keyValue.set(nameOf(question), 'open', { ttlMs: answerMs }).catch(() => undefined);
    },
    async takeAnswer(question) {
      if (question.principal.keyId === undefined) return false;
      const answered = keyValue.compareAndSet(nameOf(question), 'open', 'answered', { ttlMs: answerMs });
      return await answered.catch(() => false);
    },
  };
}
