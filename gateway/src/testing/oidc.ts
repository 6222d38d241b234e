import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export type Identity = { sub: string; email: string; email_verified: boolean; name: string };
export const clientId = 'cloudhal';
export const clientSecret = 'a secret between the provider and this test';

/**
 * A real OpenID Connect provider, at which whoever is `who` signs in without being asked, or did so a while ago. Without
 * `saysWhen` it tells that only where it is asked for.
 */
export async function startOidc(redirectUris: string[], { saysWhen = true } = {}) {
  let who: Identity | undefined;
  let minutesAgo = 0;
  const identities = new Map<string, Identity>();
  let provider: Provider;
  const server: Server = createServer((request, response) => provider.callback()(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  provider = new Provider(issuer, {
    clients: [
      { client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris, require_auth_time: saysWhen },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ ...identities.get(id), sub: id }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of this test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  });
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    const { req, res } = context;
    context.respond = false;
    if (!who) return void provider.interactionFinished(req, res, { error: 'access_denied' });
    identities.set(who.sub, who);
    const grant = new provider.Grant({ accountId: who.sub, clientId });
    grant.addOIDCScope('openid email profile');
    const grantId = await grant.save();
    const login = { accountId: who.sub, ts: Math.floor(Date.now() / 1_000) - minutesAgo * 60 };
    await provider.interactionFinished(req, res, { login, consent: { grantId } });
  });
  return {
    issuer,
    signInAs(identity: Identity | undefined, { ago = 0 } = {}) {
      who = identity;
      minutesAgo = ago;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
