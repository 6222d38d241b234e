import express, { type Router } from 'express';
import type { Members } from '../auth/members.ts';
import type { People } from '../auth/people.ts';
import type { Sessions } from '../auth/sessions.ts';
import { param, requireRecent, signedIn } from './signed-in.ts';

/** Who is signed in here, where else they are, and leaving. */
export function sessionRoutes({
  people,
  sessions,
  members,
}: {
  people: People;
  sessions: Sessions;
  members: Members;
}): Router {
  const router = express.Router();
  const person = signedIn(people);

  router.get(
    '/',
    person(async ({ member, email, recentSignIn }, _request, response) => {
      response.json({ person: { ...member, email }, recentSignIn });
    }),
  );
  router.get(
    '/all',
    person(async ({ member, sessionId }, _request, response) => {
      const all = await sessions.list(member.id);
      response.json({ sessions: all.map((session) => ({ ...session, isThis: session.id === sessionId })) });
    }),
  );
  router.delete(
    '/others',
    person(async ({ member, sessionId }, _request, response) => {
      await sessions.endOthers(member, sessionId ?? '');
      response.status(204).end();
    }),
  );
  router.delete(
    '/all/:id',
    person(async ({ member }, request, response) => {
      await sessions.end(member, param(request, 'id'));
      response.status(204).end();
    }),
  );
  // Leaving the deployment: the account, its sessions and its keys end.
  router.delete(
    '/membership',
    person(async (who, _request, response) => {
      requireRecent(who);
      await members.remove(who.member, who.member.id);
      response.status(204).end();
    }),
  );
  return router;
}
