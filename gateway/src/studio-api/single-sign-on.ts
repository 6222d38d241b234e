import { CloudhalError } from '@cloudhal/shared/errors';
import express, { type Router } from 'express';
import { Type } from 'typebox';
import { ssoId } from '../auth/accounts.ts';
import type { Members } from '../auth/members.ts';
import type { People } from '../auth/people.ts';
import { limiterAddress } from '../client-address.ts';
import { jsonBody, reader } from '../http/json-body.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { PassToAccounts } from './pass-to-accounts.ts';
import type { RecordSignIn } from './record-sign-in.ts';

const readStart = reader(
  Type.Object(
    {
      /** The page of Studio to go on to. */
      to: Type.Optional(Type.String({ maxLength: 500, pattern: '^/(?![/\\\\])[^\\\\]*$' })),
      /** Asks the provider to look at the person again, for a decision that wants a recent sign-in. */
      again: Type.Optional(Type.Boolean()),
      /** Joins the provider's account to that of who is signed in. */
      connect: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
);

export type SingleSignOnDeps = {
  people: People;
  members: Members;
  pass: PassToAccounts;
  record: RecordSignIn;
  limiter: RateLimiter;
  publicUrl: string;
};

/** Signing in at the organisation's OpenID Connect provider. Who comes back has to be invited, or of a default role. */
export function singleSignOnRoutes(deps: SingleSignOnDeps): Router {
  const { people, members, pass, record, limiter, publicUrl } = deps;
  const router = express.Router();
  const studio = `${publicUrl}/studio`;

  router.post('/sign-in/sso', jsonBody, async (request, response) => {
    const { to = '/', again = false, connect = false } = readStart(request.body);
    await limiter.take('signIn', limiterAddress(request.ip));
    if (connect) await people.person(request.headers);
    const asked = {
      provider: ssoId,
      callbackURL: `${studio}${to}`,
      errorCallbackURL: connect ? `${studio}/account` : `${studio}/sign-in`,
      disableRedirect: true,
      // With `max_age` the provider has to say when it looked, see authenticated-at.ts.
      ...(again && { additionalParams: { prompt: 'login', max_age: '0' } }),
    };
    const { url } = (await pass.post(connect ? '/link-social' : '/sign-in/social', asked, request, response)) as {
      url: string;
    };
    response.json({ url });
  });

  router.get(`/callback/${ssoId}`, async (request, response) => {
    await limiter.take('signIn', limiterAddress(request.ip));
    const { search } = new URL(request.originalUrl, publicUrl);
    let to: URL;
    try {
      to = await pass.redirect(`/callback/${ssoId}${search}`, request, response);
    } catch (error) {
      if (!(error instanceof CloudhalError) || error.status >= 500) throw error;
      return response.redirect(303, `${studio}/sign-in?error=refused`);
    }
    const cookie = cookieOf(response.getHeader('Set-Cookie'));
    const user = cookie === undefined ? undefined : await people.user(cookie);
    if (user) {
      const member = await members.admit(user);
      if (!member) {
        response.removeHeader('Set-Cookie');
        return response.redirect(303, `${studio}/sign-in?error=not_invited`);
      }
      await record('auth.signed_in', member, request, { method: 'single sign-on' });
    }
    response.redirect(303, to.href.startsWith(`${studio}/`) ? to.href : studio);
  });
  return router;
}

/** What the browser will send, of what it is told to keep. */
function cookieOf(header: number | string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const lines = Array.isArray(header) ? header : [String(header)];
  return lines.map((line) => line.split(';')[0]).join('; ');
}
