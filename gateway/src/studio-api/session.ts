import express, { type Router } from 'express';
import type { People } from '../auth/people.ts';
import { signedIn } from './signed-in.ts';

/** Who is signed in here. */
export function sessionRoutes(people: People): Router {
  const router = express.Router();
  router.get(
    '/',
    signedIn(people)(async ({ member, email, recentSignIn }, _request, response) => {
      response.json({ person: { ...member, email }, recentSignIn });
    }),
  );
  return router;
}
