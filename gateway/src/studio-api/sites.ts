import { createSite, NewSite, SiteRulesChange, setSiteRules, siteRules, sites } from '@cloudhal/shared/contracts';
import express, { type Router } from 'express';
import { Type } from 'typebox';
import { ask } from '../http/ask.ts';
import { jsonBody, reader } from '../http/json-body.ts';
import type { PolicyRoutesDeps } from './approvals.ts';
import { param, requireRecent, requireRole, signedIn } from './signed-in.ts';

const readRules = reader(Type.Object(SiteRulesChange.properties, { additionalProperties: false, minProperties: 1 }));

const readSite = reader(Type.Object(NewSite.properties, { additionalProperties: false }));

export function siteRoutes({ bus, people }: PolicyRoutesDeps): Router {
  const router = express.Router();
  router.get(
    '/',
    signedIn(people)(async (_person, _request, response) => {
      response.json(await ask(bus, sites, {}, 'tool_unavailable'));
    }),
  );
  router.post(
    '/',
    jsonBody,
    signedIn(people)(async (person, request, response) => {
      requireRole(person, 'owner', 'an owner makes sites');
      const { id, name } = person.principal;
      const site = await ask(
        bus,
        createSite,
        { site: readSite(request.body), actor: { id, name } },
        'tool_unavailable',
      );
      response.status(201).json({ site });
    }),
  );
  return router;
}

/** The rules of each site, which policy-service keeps; it judges who may change them. */
export function siteRulesRoutes({ bus, people, principalTokens }: PolicyRoutesDeps): Router {
  const router = express.Router();
  const person = signedIn(people);
  router.get(
    '/:site',
    person(async (_person, request, response) => {
      const rules = await ask(bus, siteRules, { site: param(request, 'site') }, 'policy_unavailable');
      response.json({ rules });
    }),
  );
  router.patch(
    '/:site',
    jsonBody,
    person(async (owner, request, response) => {
      requireRole(owner, 'owner', 'an owner');
      // They say what agents may do without a person.
      requireRecent(owner);
      const change = { site: param(request, 'site'), rules: readRules(request.body) };
      const query = { principal: principalTokens(owner.principal), ...change };
      response.json({ rules: await ask(bus, setSiteRules, query, 'policy_unavailable') });
    }),
  );
  return router;
}
