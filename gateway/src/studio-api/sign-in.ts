import { createHash } from 'node:crypto';
import type { Database } from '@cloudhal/shared/database';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import express, { type Request, type Response, type Router } from 'express';
import { Type } from 'typebox';
import { personId } from '../auth/check-key.ts';
import type { FailedAttempts } from '../auth/failed-attempts.ts';
import { addressHeader, type People } from '../auth/people.ts';
import { limiterAddress, network } from '../client-address.ts';
import { jsonBody, reader } from '../http/json-body.ts';
import type { RateLimiter } from '../rate-limit.ts';

const strict = { additionalProperties: false };
const Credentials = Type.Object(
  { email: Type.String({ format: 'email', maxLength: 254 }), password: Type.String({ minLength: 1, maxLength: 128 }) },
  strict,
);
const readCredentials = reader(Credentials);
const readNothing = reader(Type.Object({}, strict));
const readNewPassword = reader(
  Type.Object(
    {
      currentPassword: Type.String({ minLength: 1, maxLength: 128 }),
      newPassword: Type.String({ minLength: 12, maxLength: 128 }),
    },
    strict,
  ),
);

export type SignInDeps = {
  people: People;
  database: Database;
  limiter: RateLimiter;
  failures: FailedAttempts;
  publicUrl: string;
};

export type SignIn = ReturnType<typeof createSignIn>;

/** Signing in and out through Better Auth. Only what is listed here of its routes is reachable. */
export function createSignIn({ people, database, limiter, failures, publicUrl }: SignInDeps) {
  /** Better Auth's answer, with its cookies set on ours; throws the coded error for what it refuses. */
  async function pass(path: string, body: object, request: Request, response: Response): Promise<unknown> {
    const { origin } = new URL(publicUrl);
    const headers = new Headers({ 'content-type': 'application/json', origin });
    if (request.headers.cookie) headers.set('cookie', request.headers.cookie);
    headers.set('user-agent', (request.headers['user-agent'] ?? '').slice(0, 200));
    if (request.ip) headers.set(addressHeader, request.ip);
    const asked = new globalThis.Request(`${origin}/api/auth${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const answered = await people.answer(asked);
    if (!answered.ok) throw refusalOf(answered.status);
    for (const cookie of answered.headers.getSetCookie()) response.appendHeader('Set-Cookie', cookie);
    return answered.json();
  }

  async function record(type: string, actor: { id: string; name: string }, request: Request): Promise<void> {
    const event = auditEvent('gateway', {
      type,
      site: '_deployment',
      actor: { type: 'person', ...actor },
      details: { network: network(request.ip) },
    });
    await database.transaction((tx) => putInOutbox(tx, 'gateway', event));
  }

  async function signIn(credentials: { email: string; password: string }, request: Request, response: Response) {
    const email = credentials.email.toLowerCase();
    const account = createHash('sha256').update(email).digest('base64url');
    await Promise.all([limiter.take('signIn', limiterAddress(request.ip)), limiter.take('signIn', account)]);
    try {
      const { user } = (await pass('/sign-in/email', { ...credentials, email }, request, response)) as {
        user: { id: string; name: string };
      };
      await record('auth.signed_in', { id: personId(user.id), name: user.name }, request);
      return { id: user.id, name: user.name };
    } catch (error) {
      if (error instanceof CloudhalError && error.code === 'sign_in_required') {
        failures.add({ credential: 'password', prefix: 'password', network: network(request.ip) });
        throw fail('sign_in_failed');
      }
      throw error;
    }
  }

  function routes(): Router {
    const router = express.Router();
    router.post('/sign-in/email', jsonBody, async (request, response) => {
      response.json({ person: await signIn(readCredentials(request.body), request, response) });
    });
    router.post('/sign-out', jsonBody, async (request, response) => {
      readNothing(request.body);
      const { member } = await people.person(request.headers);
      await pass('/sign-out', {}, request, response);
      await record('auth.signed_out', { id: personId(member.id), name: member.name }, request);
      response.status(204).end();
    });
    router.post('/change-password', jsonBody, async (request, response) => {
      const passwords = readNewPassword(request.body);
      const { member } = await people.person(request.headers);
      await limiter.take('signIn', member.id);
      try {
        await pass('/change-password', { ...passwords, revokeOtherSessions: true }, request, response);
      } catch (error) {
        throw error instanceof CloudhalError && error.code === 'validation_failed' ? fail('sign_in_failed') : error;
      }
      await record('auth.password_changed', { id: personId(member.id), name: member.name }, request);
      response.status(204).end();
    });
    return router;
  }

  return { signIn, routes };
}

function refusalOf(status: number): CloudhalError {
  if (status === 401 || status === 403) return fail('sign_in_required');
  if (status < 500) return fail('validation_failed', { path: 'request', expected: 'the accounts do not accept it' });
  return fail('storage_unavailable');
}
