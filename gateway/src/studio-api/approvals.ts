import type { Bus } from '@cloudhal/shared/bus/bus';
import { decideElevation, listApprovals, listElevations } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { modes } from '@cloudhal/shared/policy';
import express, { type Router } from 'express';
import { Type } from 'typebox';
import type { People } from '../auth/people.ts';
import type { PresentPrincipal } from '../auth/present-principal.ts';
import type { PrincipalTokens } from '../auth/principal-tokens.ts';
import { ask } from '../http/ask.ts';
import { jsonBody, queryOf, reader } from '../http/json-body.ts';
import { decide } from './decide-approval.ts';
import { param, requireRecent, signedIn } from './signed-in.ts';

const strict = { additionalProperties: false };
const Page = Type.Object(
  {
    state: Type.Optional(Type.String({ maxLength: 100 })),
    cursor: Type.Optional(Type.String({ maxLength: 1000 })),
    limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$' })),
  },
  strict,
);
const readPage = reader(Page);
const readStates = reader(Type.Object({ state: Type.Optional(Type.String({ maxLength: 100 })) }, strict));
const readApprove = reader(Type.Object({}, strict));
const readReject = reader(Type.Object({ reason: Type.Optional(Type.String({ maxLength: 500 })) }, strict));
const readGrant = reader(
  Type.Object(
    {
      mode: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: modes })),
      minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_080 })),
    },
    strict,
  ),
);

export type PolicyRoutesDeps = {
  bus: Bus;
  people: People;
  principalTokens: PrincipalTokens;
  presentPrincipal: PresentPrincipal;
};

/** What waits for a person, and their answer; policy-service holds both and judges who may answer. */
export function approvalRoutes({ bus, people, principalTokens, presentPrincipal }: PolicyRoutesDeps): Router {
  const router = express.Router();
  const person = signedIn(people);

  router.get(
    '/',
    person(async ({ principal }, request, response) => {
      const { state, cursor, limit } = readPage(queryOf(request));
      const query = { principal: principalTokens(principal), brief: true, ...states(state), ...(cursor && { cursor }) };
      const page = { ...query, ...(limit && { limit: Math.min(Number(limit), 200) }) };
      response.json(await ask(bus, listApprovals, page, 'policy_unavailable'));
    }),
  );
  router.get(
    '/:id',
    person(async ({ principal }, request, response) => {
      const id = param(request, 'id');
      const { approvals } = await ask(
        bus,
        listApprovals,
        { principal: principalTokens(principal), id },
        'policy_unavailable',
      );
      if (!approvals[0]) throw fail('not_found', { what: 'approval', id });
      response.json({ approval: approvals[0] });
    }),
  );
  router.post(
    '/:id/approve',
    jsonBody,
    person(async ({ principal, recentSignIn }, request, response) => {
      readApprove(request.body);
      const decision = { principal: principalTokens(principal), id: param(request, 'id'), recentSignIn };
      response.json(await decide(bus, { ...decision, decision: 'approve' }, presentPrincipal));
    }),
  );
  router.post(
    '/:id/reject',
    jsonBody,
    person(async ({ principal, recentSignIn }, request, response) => {
      const reason = readReject(request.body);
      const decision = { principal: principalTokens(principal), id: param(request, 'id'), recentSignIn };
      response.json(await decide(bus, { ...decision, ...reason, decision: 'reject' }, presentPrincipal));
    }),
  );
  return router;
}

/** Requests of agents for a more autonomous mode; a person may grant less than was asked. */
export function elevationRoutes({ bus, people, principalTokens }: PolicyRoutesDeps): Router {
  const router = express.Router();
  const person = signedIn(people);

  router.get(
    '/',
    person(async ({ principal }, request, response) => {
      const { state } = readStates(queryOf(request));
      const query = { principal: principalTokens(principal), ...states(state) };
      response.json(await ask(bus, listElevations, query, 'policy_unavailable'));
    }),
  );
  for (const decision of ['grant', 'refuse', 'end'] as const) {
    router.post(
      `/:id/${decision}`,
      jsonBody,
      person(async (who, request, response) => {
        if (decision === 'grant') requireRecent(who);
        const granted = decision === 'grant' ? readGrant(request.body) : readApprove(request.body);
        const query = { principal: principalTokens(who.principal), id: param(request, 'id'), decision, ...granted };
        response.json({ elevation: await ask(bus, decideElevation, query, 'policy_unavailable') });
      }),
    );
  }
  return router;
}

function states(state: string | undefined): { states?: string[] } {
  return state === undefined ? {} : { states: state.split(',') };
}
