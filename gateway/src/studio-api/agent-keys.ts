import express, { type Router } from 'express';
import { Type } from 'typebox';
import type { AgentKeys } from '../auth/agent-keys.ts';
import { KeyChange, KeyWish } from '../auth/mint-rules.ts';
import type { People } from '../auth/people.ts';
import { jsonBody, reader } from '../http/json-body.ts';
import { param, signedIn } from './signed-in.ts';

const readWish = reader(KeyWish);
const readChange = reader(KeyChange);
const readRotation = reader(
  Type.Object(
    { overlapHours: Type.Optional(Type.Integer({ minimum: 0, maximum: 24 })) },
    { additionalProperties: false },
  ),
);

/** Keys are made by a signed-in person, who owns them. The secret is in the answer of POST, once. */
export function agentKeyRoutes(people: People, keys: AgentKeys): Router {
  const router = express.Router();
  const person = signedIn(people);

  router.get(
    '/',
    person(async ({ member }, _request, response) => {
      response.json({ keys: await keys.list(member) });
    }),
  );
  router.post(
    '/',
    jsonBody,
    person(async ({ member }, request, response) => {
      response.status(201).json(await keys.create(member, readWish(request.body)));
    }),
  );
  router.patch(
    '/:id',
    jsonBody,
    person(async ({ member }, request, response) => {
      response.json({ key: await keys.change(member, param(request, 'id'), readChange(request.body)) });
    }),
  );
  router.post(
    '/:id/rotate',
    jsonBody,
    person(async ({ member }, request, response) => {
      const { overlapHours = 0 } = readRotation(request.body);
      response.json(await keys.rotate(member, param(request, 'id'), overlapHours));
    }),
  );
  router.delete(
    '/:id',
    person(async ({ member }, request, response) => {
      response.json({ key: await keys.revoke(member, param(request, 'id')) });
    }),
  );
  return router;
}
