import {
  auditQuery,
  createSite,
  NewSite,
  SiteRulesChange,
  setSiteRules,
  siteRules,
  sites,
} from '@cloudhal/shared/contracts';
import express, { type Router } from 'express';
import { Type } from 'typebox';
import { ask } from '../http/ask.ts';
import { jsonBody, queryOf, reader } from '../http/json-body.ts';
import type { PolicyRoutesDeps } from './approvals.ts';
import { param, requireRole, signedIn } from './signed-in.ts';

const Text = Type.Optional(Type.String({ maxLength: 300 }));
const readActivity = reader(
  Type.Object(
    {
      site: Text,
      actor: Text,
      tool: Text,
      type: Text,
      skill: Text,
      decision: Text,
      outcome: Text,
      callId: Text,
      snapshot: Text,
      since: Text,
      until: Text,
      cursor: Type.Optional(Type.String({ maxLength: 1000 })),
      limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$' })),
    },
    { additionalProperties: false },
  ),
);
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
    person(async ({ principal }, request, response) => {
      const change = { site: param(request, 'site'), rules: readRules(request.body) };
      const query = { principal: principalTokens(principal), ...change };
      response.json({ rules: await ask(bus, setSiteRules, query, 'policy_unavailable') });
    }),
  );
  return router;
}

/** The record of what happened; audit-service shows each person what their role may see. */
export function activityRoutes({ bus, people, principalTokens }: PolicyRoutesDeps): Router {
  const router = express.Router();
  router.get(
    '/',
    signedIn(people)(async ({ principal }, request, response) => {
      const { limit, ...filter } = readActivity(queryOf(request));
      const query = { principal: principalTokens(principal), ...filter };
      const page = { ...query, ...(limit && { limit: Math.min(Number(limit), 200) }) };
      response.json(await ask(bus, auditQuery, page, 'storage_unavailable'));
    }),
  );
  return router;
}
