import { auditUsage, explainTools } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import express, { type Router } from 'express';
import { Type } from 'typebox';
import type { AgentKeys } from '../auth/agent-keys.ts';
import { KeyChange, KeyRotation, KeyWish, wishedPrincipal } from '../auth/mint-rules.ts';
import { ask } from '../http/ask.ts';
import { jsonBody, queryOf, reader } from '../http/json-body.ts';
import type { PolicyRoutesDeps } from './approvals.ts';
import { param, requireRecent, signedIn } from './signed-in.ts';

const strict = { additionalProperties: false };
const readWish = reader(KeyWish);
const readChange = reader(KeyChange);
const readRotation = reader(KeyRotation);
const Site = Type.Optional(Type.String({ maxLength: 100 }));
const readSite = reader(Type.Object({ site: Site }, strict));
const { mode, scopes, sites } = KeyWish.properties;
const readOutcomes = reader(Type.Object({ scopes, mode, sites, site: Site }, strict));

/** The time over which the use of keys is counted. */
const usageMs = 7 * 24 * 3_600_000;

/** Keys are made by a signed-in person, who owns them. The secret is in the answer of POST, once. */
export function agentKeyRoutes(
  keys: AgentKeys,
  { bus, people, principalTokens, presentPrincipal }: PolicyRoutesDeps,
): Router {
  const router = express.Router();
  const person = signedIn(people);

  router.get(
    '/',
    person(async ({ member }, _request, response) => {
      response.json({ keys: await keys.list(member) });
    }),
  );
  router.get(
    '/usage',
    person(async ({ principal }, _request, response) => {
      const since = new Date(Date.now() - usageMs).toISOString();
      const query = { principal: principalTokens(principal), since };
      response.json(await ask(bus, auditUsage, query, 'storage_unavailable'));
    }),
  );
  // What a key that is not made yet could do; nothing is made by it.
  router.post(
    '/outcomes',
    jsonBody,
    person(async ({ member, principal }, request, response) => {
      const { site, ...wish } = readOutcomes(request.body);
      const query = { principal: principalTokens(wishedPrincipal(wish, member)), by: principalTokens(principal) };
      response.json(await ask(bus, explainTools, { ...query, ...(site && { site }) }, 'policy_unavailable'));
    }),
  );
  router.post(
    '/',
    jsonBody,
    person(async (who, request, response) => {
      requireRecent(who);
      response.status(201).json(await keys.create(who.member, readWish(request.body)));
    }),
  );
  router.get(
    '/:id',
    person(async ({ member }, request, response) => {
      response.json({ key: await keys.see(member, param(request, 'id')) });
    }),
  );
  router.get(
    '/:id/outcomes',
    person(async ({ member, principal }, request, response) => {
      const { site } = readSite(queryOf(request));
      const { id } = await keys.see(member, param(request, 'id'));
      const agent = await presentPrincipal(`agent:${id}`);
      if (agent === undefined) throw fail('not_found', { what: 'active agent key', id });
      const query = { principal: agent, by: principalTokens(principal), ...(site && { site }) };
      response.json(await ask(bus, explainTools, query, 'policy_unavailable'));
    }),
  );
  router.patch(
    '/:id',
    jsonBody,
    person(async (who, request, response) => {
      requireRecent(who);
      response.json({ key: await keys.change(who.member, param(request, 'id'), readChange(request.body)) });
    }),
  );
  router.post(
    '/:id/rotate',
    jsonBody,
    person(async (who, request, response) => {
      requireRecent(who);
      response.json(await keys.rotate(who.member, param(request, 'id'), readRotation(request.body)));
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
