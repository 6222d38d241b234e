import express, { type RequestHandler, type Router } from 'express';
import { Type } from 'typebox';
import type { AdmitOperator } from '../auth/deployment-token.ts';
import type { Members } from '../auth/members.ts';
import { jsonBody, reader } from '../http/json-body.ts';
import { invitationLink } from '../studio/invitation-link.ts';

const readNothing = reader(Type.Object({}, { additionalProperties: false }));

/** For whoever runs the deployment, with its token as the bearer; no cookie opens it. */
export function adminRoutes(admitOperator: AdmitOperator, members: Members, publicUrl: string): Router {
  const router = express.Router();
  const admit: RequestHandler = async (request, _response, next) => {
    await admitOperator(request, request.ip);
    next();
  };

  router.use(admit);
  router.post('/first-owner-link', jsonBody, async (request, response) => {
    readNothing(request.body);
    const { token, expiresAt } = await members.inviteFirstOwner();
    response.status(201).json({ url: invitationLink(publicUrl, token), expiresAt });
  });
  router.get('/people', async (_request, response) => {
    response.json({ people: await members.list() });
  });
  return router;
}
