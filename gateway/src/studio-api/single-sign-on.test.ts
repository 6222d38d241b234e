import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientId, clientSecret, type Identity, startOidc } from '../testing/oidc.ts';
import type { Received } from '../testing/send.ts';
import { browser, cookieOf, type Replica, startWorld, type World } from '../testing/world.ts';

let world: World;
let oidc: Awaited<ReturnType<typeof startOidc>>;
let replica: Replica;
// Behind a proxy, below a path of its own.
const publicUrl = 'http://studio.example.com/cloudhal';
const unlimited = { perMinute: 60_000, burst: 10_000 };

beforeAll(async () => {
  [world, oidc] = await Promise.all([startWorld('postgres'), startOidc([`${publicUrl}/api/auth/callback/sso`])]);
  replica = await world.replica(settings());
});
beforeEach(() => oidc.signInAs(undefined));
afterAll(async () => {
  await world.stop();
  await oidc.stop();
});

function settings({ role, at = oidc }: { role?: 'reviewer'; at?: typeof oidc } = {}) {
  const { issuer } = at;
  const singleSignOn = { issuer, clientId, clientSecret, name: 'The House', ...(role && { role }) };
  return { publicUrl, limits: { signIn: unlimited }, singleSignOn };
}

const somebody = (sub: string, more: Partial<Identity> = {}): Identity => ({
  sub,
  email: `${sub}@example.com`,
  email_verified: true,
  name: `Some ${sub}`,
  ...more,
});

/** Goes to the provider and back as a browser does; resolves to the answer that it comes back to. */
async function goThrough(
  as: Identity | undefined,
  { at = oidc, to = replica, cookie = '', body = {}, ago = 0 } = {},
): Promise<Received> {
  at.signInAs(as, { ago });
  const headers = { origin: new URL(publicUrl).origin, 'content-type': 'application/json', cookie };
  const started = await to.send('/api/auth/sign-in/sso', { method: 'POST', headers, body: JSON.stringify(body) });
  expect(started.status, started.text).toBe(200);
  const jar = new Map<string, string>();
  let url = started.json.url as string;
  while (!url.startsWith(publicUrl)) {
    const sent = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie: sent } });
    for (const line of answer.headers.getSetCookie())
      jar.set(...(line.split(';')[0]!.split(/=(.*)/s) as [string, string]));
    url = new URL(answer.headers.get('location') ?? 'about:blank', url).href;
    if (url === 'about:blank') throw new Error(`${answer.status}: ${await answer.text()}`);
  }
  const state = [cookie, cookieOf(started)].filter((part) => part !== '').join('; ');
  return to.send(url.slice(publicUrl.length), { headers: { cookie: state } });
}

const meAfter = (answer: Received, to = replica) =>
  browser(to, '', cookieOf(answer)).send('/api/session', { headers: { origin: 'http://studio.example.com' } });
const invite = async (email: string, role = 'editor') => {
  const owner = await world.person(await world.replica({ limits: { signIn: unlimited } }), 'owner');
  const invited = await owner.send('/api/people/invitations', { json: { role, email } });
  expect(invited.status, invited.text).toBe(201);
};

describe('single sign-on', () => {
  it('is offered by its name', async () => {
    expect((await replica.send('/api/auth/methods')).json).toEqual({ singleSignOn: 'The House', passwordReset: false });
  });

  it('lets in who was invited at their address, with the invited role, and knows them again', async () => {
    await invite('Ines@example.com', 'editor');
    const came = await goThrough(somebody('ines'), { body: { to: '/approvals/apr_1' } });
    expect([came.status, came.headers.location], came.text).toEqual([303, `${publicUrl}/studio/approvals/apr_1`]);
    expect((await meAfter(came)).json).toMatchObject({
      person: { name: 'Some ines', role: 'editor', email: 'ines@example.com' },
      recentSignIn: true,
    });
    const again = await goThrough(somebody('ines', { email: 'renamed@example.com' }));
    expect((await meAfter(again)).json.person.role).toBe('editor');
    const signedIn = (await world.events('auth.signed_in')).map(({ details }) => details.method);
    expect(signedIn.filter((method) => method === 'single sign-on')).toHaveLength(2);
  });

  it.each([
    ['nobody invited', somebody('stranger')],
    ['has not proved the address', somebody('sly', { email: 'invited@example.com', email_verified: false })],
    ['the provider refuses', undefined],
  ])('does not let in whom %s', async (_, identity) => {
    await invite('invited@example.com');
    const came = await goThrough(identity);
    expect([302, 303]).toContain(came.status);
    expect(came.headers.location).toMatch(/\/studio\/sign-in\?error=/);
    expect((await meAfter(came)).status).toBe(401);
    const users = await world.owner.query('SELECT 1 FROM gateway."user" WHERE email = ANY($1)', [
      ['stranger@example.com', 'invited@example.com'],
    ]);
    expect(users).toEqual([]);
  });

  it('does not take over an account whose address nobody has proved', async () => {
    const plain = await world.replica({ limits: { signIn: unlimited } });
    const squatter = await world.person(plain, 'editor');
    const { email } = (await squatter.send('/api/session')).json.person;
    const came = await goThrough(somebody('victim', { email }));
    expect(came.headers.location).toContain('error=');
    expect((await meAfter(came)).status).toBe(401);
  });

  it('gives the default role to whoever the provider knows, where there is one', async () => {
    const open = await world.replica(settings({ role: 'reviewer' }));
    const came = await goThrough(somebody('rolf'), { to: open });
    expect((await meAfter(came, open)).json.person).toMatchObject({ role: 'reviewer', name: 'Some rolf' });
  });

  it('ends for who was removed', async () => {
    await invite('gone@example.com');
    const came = await goThrough(somebody('gone'));
    const { id } = (await meAfter(came)).json.person;
    const owner = await world.person(await world.replica({ limits: { signIn: unlimited } }), 'owner');
    expect((await owner.send(`/api/people/${id}`, { method: 'DELETE' })).status).toBe(204);
    const again = await goThrough(somebody('gone'));
    expect(again.headers.location).toContain('error=');
  });

  it('counts as recent only where the provider looked at the person a short while ago, whatever it was asked', async () => {
    await invite('rita@example.com');
    const recentAfter = async (how: { ago?: number; body?: object }) =>
      (await meAfter(await goThrough(somebody('rita'), how))).json.recentSignIn;
    expect(await recentAfter({ ago: 11 })).toBe(false);
    expect(await recentAfter({ ago: 11, body: { again: true } })).toBe(false);
    expect(await recentAfter({ body: { again: true } })).toBe(true);
    // A provider whose clock is ahead makes no sign-in last longer.
    await goThrough(somebody('rita'), { ago: -60 });
    const [newest] = await world.owner.query('SELECT max("authenticatedAt") <= now() AS past FROM gateway."session"');
    expect(newest).toEqual({ past: true });
  });

  it('is not recent where the provider does not say when it looked, unless that is asked', async () => {
    await invite('nora@example.com');
    const silent = await startOidc([`${publicUrl}/api/auth/callback/sso`], { saysWhen: false });
    const to = await world.replica(settings({ at: silent }));
    const recentAfter = async (body: object) =>
      (await meAfter(await goThrough(somebody('nora'), { at: silent, to, body }), to)).json.recentSignIn;
    expect(await recentAfter({})).toBe(false);
    expect(await recentAfter({ again: true })).toBe(true);
    await silent.stop();
  });

  it('goes on to Studio and nowhere else, and takes no answer that it did not ask for', async () => {
    const headers = { origin: new URL(publicUrl).origin, 'content-type': 'application/json' };
    for (const to of ['https://evil.example', '//evil.example', '/\\evil.example', 'approvals']) {
      const answer = await replica.send('/api/auth/sign-in/sso', {
        method: 'POST',
        headers,
        body: JSON.stringify({ to }),
      });
      expect([to, answer.status]).toEqual([to, 400]);
    }
    const forged = await replica.send('/api/auth/callback/sso?code=x&state=y');
    expect(forged.headers.location).toContain(`${publicUrl}/studio/sign-in?`);
    expect(forged.headers['set-cookie'] ?? []).not.toContainEqual(expect.stringContaining('session_token=ses'));
  });

  it('is not there where it is not set up', async () => {
    const plain = await world.replica();
    expect((await plain.send('/api/auth/callback/sso?code=x&state=y')).status).toBe(404);
  });
});
