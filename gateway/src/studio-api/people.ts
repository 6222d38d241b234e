import { type Role, roles } from '@cloudhal/shared/policy';
import express, { type Router } from 'express';
import { Type } from 'typebox';
import type { Members } from '../auth/members.ts';
import type { People } from '../auth/people.ts';
import { jsonBody, reader } from '../http/json-body.ts';
import type { Mail, Mailer } from '../mailer.ts';
import { invitationLink } from '../studio/invitation-link.ts';
import { param, requireRecent, requireRole, signedIn } from './signed-in.ts';

const readRole = reader(
  Type.Object({ role: Type.Unsafe<Role>({ type: 'string', enum: roles }) }, { additionalProperties: false }),
);
const readInvitation = reader(
  Type.Object(
    {
      role: Type.Unsafe<Role>({ type: 'string', enum: roles }),
      /** The link is sent there, where the deployment sends mail; and its owner may join by single sign-on. */
      email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
    },
    { additionalProperties: false },
  ),
);
const needsOwner = 'people are managed by an owner';

/** Who belongs to the deployment, with which role. */
export function peopleRoutes({
  people,
  members,
  mailer,
  publicUrl,
}: {
  people: People;
  members: Members;
  mailer?: Mailer | undefined;
  publicUrl: string;
}): Router {
  const router = express.Router();
  const person = signedIn(people);

  router.get(
    '/',
    person(async (_person, _request, response) => {
      response.json({ people: await members.list() });
    }),
  );
  router.get(
    '/invitations',
    person(async (who, _request, response) => {
      requireRole(who, 'owner', needsOwner);
      response.json({ invitations: await members.invitations() });
    }),
  );
  router.delete(
    '/invitations/:id',
    person(async (who, request, response) => {
      requireRole(who, 'owner', needsOwner);
      await members.withdrawInvitation(who.member, param(request, 'id'));
      response.status(204).end();
    }),
  );
  router.post(
    '/invitations',
    jsonBody,
    person(async (who, request, response) => {
      requireRole(who, 'owner', needsOwner);
      requireRecent(who);
      const { role, email } = readInvitation(request.body);
      const { token, ...invitation } = await members.invite(who.member, role, email);
      const url = invitationLink(publicUrl, token);
      if (email !== undefined) mailer?.send(invitationMail(email.toLowerCase(), who.member.name, role, url));
      response.status(201).json({ ...invitation, url, mailed: email !== undefined && mailer !== undefined });
    }),
  );
  router.patch(
    '/:id',
    jsonBody,
    person(async (who, request, response) => {
      requireRole(who, 'owner', needsOwner);
      requireRecent(who);
      response.json({
        person: await members.changeRole(who.member, param(request, 'id'), readRole(request.body).role),
      });
    }),
  );
  router.delete(
    '/:id',
    person(async (who, request, response) => {
      requireRole(who, 'owner', needsOwner);
      requireRecent(who);
      await members.remove(who.member, param(request, 'id'));
      response.status(204).end();
    }),
  );
  return router;
}

function invitationMail(to: string, from: string, role: Role, url: string): Mail {
  return {
    to,
    subject: 'You are invited to Cloudhal',
    text: `${from} invites you to Cloudhal as ${role}.\n\nMake your account here, within seven days:\n${url}\n\nThe link works once, for whoever has it: do not pass it on.\n`,
  };
}
