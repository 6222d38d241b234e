import express, { type Router } from 'express';
import { Type } from 'typebox';
import type { People } from '../auth/people.ts';
import type { PrincipalTokens } from '../auth/principal-tokens.ts';
import { type CallTool, maxCallBytes } from '../call-tool.ts';
import { jsonBodyOf, reader } from '../http/json-body.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { param, signedIn } from './signed-in.ts';

const readCall = reader(
  Type.Object(
    {
      arguments: Type.Record(Type.String(), Type.Unknown()),
      /** Makes a repeated request the same one. */
      requestId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      /** What the person said to the question of an earlier request. */
      answer: Type.Optional(
        Type.Object(
          { state: Type.String({ maxLength: 4096 }), confirm: Type.Boolean() },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
);

export type ToolRoutesDeps = {
  people: People;
  principalTokens: PrincipalTokens;
  callTool: CallTool;
  limiter: RateLimiter;
};

/**
 * What agents do with tools, done by a signed-in person: the same tools, arguments and record, and policy goes by their
 * role. What always needs a person is answered with a question; the same request with their answer goes on.
 */
export function toolRoutes({ people, principalTokens, callTool, limiter }: ToolRoutesDeps): Router {
  const router = express.Router();
  router.post(
    '/:tool',
    jsonBodyOf(maxCallBytes),
    signedIn(people)(async ({ principal, recentSignIn }, request, response) => {
      const { arguments: args, requestId, answer } = readCall(request.body);
      await limiter.take('person', principal.id);
      const reply = await callTool({
        principalToken: () => principalTokens(principal),
        tool: param(request, 'tool'),
        arguments: args,
        canElicit: true,
        recentSignIn,
        ...(requestId !== undefined && { idempotencyKey: requestId }),
        ...(answer && { answer: answerOf(answer) }),
      });
      if (reply.kind === 'result') {
        response.json({ kind: 'result', callId: reply.callId, result: reply.result });
        return;
      }
      const { id, summary, reason, expiresAt, requestState, personOnly } = reply.approval;
      const question = { id, summary, reason, expiresAt, state: requestState, needsAnother: personOnly };
      response.json({ kind: 'question', callId: reply.callId, question });
    }),
  );
  return router;
}

function answerOf({ state, confirm }: { state: string; confirm: boolean }) {
  return { state, action: confirm ? ('accept' as const) : ('decline' as const), confirm };
}
