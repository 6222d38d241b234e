import { fail } from '@cloudhal/shared/errors';
import { type Role, roles } from '@cloudhal/shared/policy';
import express, { type Router } from 'express';
import { Type } from 'typebox';
import type { Members } from '../auth/members.ts';
import type { People } from '../auth/people.ts';
import { jsonBody, reader } from '../http/json-body.ts';
import { invitationLink } from '../studio/invitation-link.ts';
import { param, requireRole, signedIn } from './signed-in.ts';

const readRole = reader(
  Type.Object({ role: Type.Unsafe<Role>({ type: 'string', enum: roles }) }, { additionalProperties: false }),
);
const needsOwner = 'people are managed by an owner';

/** Who belongs to the deployment, with which role. */
export function peopleRoutes(people: People, members: Members, publicUrl: string): Router {
  const router = express.Router();
  const person = signedIn(people);

  router.get(
    '/',
    person(async (_person, _request, response) => {
      response.json({ people: await members.list() });
    }),
  );
  router.post(
    '/invitations',
    jsonBody,
    person(async (who, request, response) => {
      requireRole(who, 'owner', needsOwner);
      requireRecent(who.recentSignIn);
      const { token, ...invitation } = await members.invite(who.member, readRole(request.body).role);
      response.status(201).json({ ...invitation, url: invitationLink(publicUrl, token) });
    }),
  );
  router.patch(
    '/:id',
    jsonBody,
    person(async (who, request, response) => {
      requireRole(who, 'owner', needsOwner);
      requireRecent(who.recentSignIn);
      response.json({
        person: await members.changeRole(who.member, param(request, 'id'), readRole(request.body).role),
      });
    }),
  );
  router.delete(
    '/:id',
    person(async (who, request, response) => {
      requireRole(who, 'owner', needsOwner);
      requireRecent(who.recentSignIn);
      await members.remove(who.member, param(request, 'id'));
      response.status(204).end();
    }),
  );
  return router;
}

function requireRecent(recentSignIn: boolean): void {
  if (!recentSignIn) throw fail('reauthentication_required');
}
