import { createHash } from 'node:crypto';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import express, { type Request, type Response, type Router } from 'express';
import { Type } from 'typebox';
import type { FailedAttempts } from '../auth/failed-attempts.ts';
import type { People } from '../auth/people.ts';
import { limiterAddress, network } from '../client-address.ts';
import { jsonBody, reader } from '../http/json-body.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { PassToAccounts } from './pass-to-accounts.ts';
import type { RecordSignIn } from './record-sign-in.ts';

const strict = { additionalProperties: false };
const email = Type.String({ format: 'email', maxLength: 254 });
const newPassword = Type.String({ minLength: 12, maxLength: 128 });
const password = Type.String({ minLength: 1, maxLength: 128 });
const readCredentials = reader(Type.Object({ email, password }, strict));
const readNothing = reader(Type.Object({}, strict));
const readNewPassword = reader(Type.Object({ currentPassword: password, newPassword }, strict));
const readForgotten = reader(Type.Object({ email }, strict));
const readReset = reader(Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }), newPassword }, strict));

export type SignInDeps = {
  people: People;
  pass: PassToAccounts;
  record: RecordSignIn;
  limiter: RateLimiter;
  failures: FailedAttempts;
  /** What a person may sign in with here. */
  methods: { singleSignOn?: string; passwordReset: boolean };
};

export type SignIn = ReturnType<typeof createSignIn>;

/** Signing in and out, and passwords, through Better Auth. */
export function createSignIn({ people, pass, record, limiter, failures, methods }: SignInDeps) {
  /** Neither one address nor one account can be tried at will; an address that is refused shuts nobody else out. */
  async function limited(request: Request, account: string): Promise<void> {
    await limiter.take('signIn', limiterAddress(request.ip));
    await limiter.take('signIn', createHash('sha256').update(account).digest('base64url'));
  }

  async function signIn(credentials: { email: string; password: string }, request: Request, response: Response) {
    const email = credentials.email.toLowerCase();
    await limited(request, email);
    try {
      const { user } = (await pass.post('/sign-in/email', { ...credentials, email }, request, response)) as {
        user: { id: string; name: string };
      };
      await record('auth.signed_in', user, request);
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
    router.get('/methods', (_request, response) => {
      response.json(methods);
    });
    router.post('/sign-in/email', jsonBody, async (request, response) => {
      response.json({ person: await signIn(readCredentials(request.body), request, response) });
    });
    router.post('/sign-out', jsonBody, async (request, response) => {
      readNothing(request.body);
      const { member } = await people.person(request.headers);
      await record('auth.signed_out', member, request, {}, () => pass.post('/sign-out', {}, request, response));
      response.status(204).end();
    });
    router.post('/change-password', jsonBody, async (request, response) => {
      const change = { ...readNewPassword(request.body), revokeOtherSessions: true };
      const { member } = await people.person(request.headers);
      await limiter.take('signIn', member.id);
      try {
        await record('auth.password_changed', member, request, {}, () =>
          pass.post('/change-password', change, request, response),
        );
      } catch (error) {
        throw isRefused(error) ? fail('sign_in_failed') : error;
      }
      response.status(204).end();
    });
    // Whether there is such an account is nobody's to learn: the answer, and the time that it takes, are the same.
    router.post('/forgot-password', jsonBody, async (request, response) => {
      const { email } = readForgotten(request.body);
      if (!methods.passwordReset) throw fail('forbidden', { needs: 'a deployment that sends mail' });
      await limited(request, email.toLowerCase());
      await pass.post('/request-password-reset', { email: email.toLowerCase() }, request, response);
      response.status(202).json({ sent: true });
    });
    router.post('/reset-password', jsonBody, async (request, response) => {
      const reset = readReset(request.body);
      await limiter.take('signIn', limiterAddress(request.ip));
      const user = await people.resetting(reset.token);
      if (!user) throw fail('link_invalid');
      try {
        await record('auth.password_changed', user, request, { by: 'mail' }, () =>
          pass.post('/reset-password', reset, request, response),
        );
      } catch (error) {
        throw isRefused(error) ? fail('link_invalid') : error;
      }
      response.status(204).end();
    });
    return router;
  }

  return { signIn, routes };
}

function isRefused(error: unknown): boolean {
  return error instanceof CloudhalError && error.code === 'validation_failed';
}
