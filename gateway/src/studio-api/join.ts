import express, { type Router } from 'express';
import { Type } from 'typebox';
import { Account, type Members } from '../auth/members.ts';
import { limiterAddress } from '../client-address.ts';
import { jsonBody, reader } from '../http/json-body.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { SignIn } from './sign-in.ts';

const token = Type.String({ minLength: 1, maxLength: 100 });
const readToken = reader(Type.Object({ token }, { additionalProperties: false }));
const readAccount = reader(Type.Object({ token, ...Account.properties }, { additionalProperties: false }));

/** Behind a one-time link a person says who they are, and is signed in. The token proves that they have the link. */
export function joinRoutes(deps: { members: Members; signIn: SignIn; limiter: RateLimiter }): Router {
  const { members, signIn, limiter } = deps;
  const router = express.Router();

  router.post('/invitation', jsonBody, async (request, response) => {
    const { token } = readToken(request.body);
    try {
      response.json({ invitation: await members.invitation(token) });
    } catch (error) {
      await limiter.take('failedAuth', limiterAddress(request.ip));
      throw error;
    }
  });
  router.post('/', jsonBody, async (request, response) => {
    await limiter.take('signIn', limiterAddress(request.ip));
    const { token, ...account } = readAccount(request.body);
    const person = await members.accept(token, account);
    await signIn.signIn(account, request, response);
    response.status(201).json({ person });
  });
  return router;
}
