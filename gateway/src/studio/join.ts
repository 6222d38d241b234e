import express, { type Request, type Response, type Router } from 'express';
import { Type } from 'typebox';
import { Account, type Invitation, type Members } from '../auth/members.ts';
import { limiterAddress } from '../client-address.ts';
import { codedError } from '../http/answer-error.ts';
import { jsonBody, reader } from '../http/json-body.ts';
import type { Edge } from '../origin.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { requireOwnPage } from '../studio-api/own-pages.ts';
import type { SignIn } from '../studio-api/sign-in.ts';
import { escapeHtml, sendPage } from './html.ts';

const readToken = reader(
  Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }, { additionalProperties: true }),
);
const readAccount = reader(Account);

export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/studio/join?token=${encodeURIComponent(token)}`;
}

/**
 * The page behind a one-time link: a person says who they are, and is signed in. The token in the form proves that they
 * have the link, the origin that the form is ours. JSON is taken as well.
 */
export function joinPages(deps: { members: Members; signIn: SignIn; limiter: RateLimiter; edge: Edge }): Router {
  const { members, signIn, limiter, edge } = deps;
  const router = express.Router();
  const form = express.urlencoded({ extended: false, limit: 8 * 1024, type: 'application/x-www-form-urlencoded' });

  router.get(['/join', '/first-owner'], async (request, response) => {
    const { token } = readToken({ token: request.query.token });
    sendForm(response, 200, token, await members.invitation(token));
  });

  router.post(
    ['/join', '/first-owner'],
    (request, _response, next) => {
      requireOwnPage(edge, request);
      next();
    },
    (request, response, next) => (isForm(request) ? form(request, response, next) : next('route')),
    async (request, response) => {
      const { token, ...account } = readToken(request.body) as { token: string };
      try {
        await join(token, account, request, response);
        response.redirect(303, '/studio');
      } catch (error) {
        const { body, status, code } = codedError(error);
        if (code !== 'validation_failed') throw error;
        sendForm(response, status, token, await members.invitation(token), body.message);
      }
    },
  );
  router.post(['/join', '/first-owner'], jsonBody, async (request, response) => {
    const { token, ...account } = readToken(request.body) as { token: string };
    response.status(201).json({ person: await join(token, account, request, response) });
  });

  async function join(token: string, body: unknown, request: Request, response: Response) {
    await limiter.take('signIn', limiterAddress(request.ip));
    const account = readAccount(body);
    const member = await members.accept(token, account);
    await signIn.signIn(account, request, response);
    return member;
  }

  return router;
}

function isForm(request: Request): boolean {
  return /^application\/x-www-form-urlencoded *(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

function sendForm(response: Response, status: number, token: string, invitation: Invitation, problem?: string): void {
  const purpose = invitation.firstOwner
    ? 'You become the first owner of this deployment.'
    : `You were invited as ${escapeHtml(invitation.role)}.`;
  sendPage(
    response,
    status,
    'Make your account',
    `<p>${purpose}</p>
${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form method="post" action="/studio/join">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="name">Name</label>
<input id="name" name="name" autocomplete="name" required maxlength="100">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254">
<label for="password">Password <span class="hint">(at least 12 characters)</span></label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="12" maxlength="128">
<button type="submit">Make the account and sign in</button>
</form>`,
  );
}
