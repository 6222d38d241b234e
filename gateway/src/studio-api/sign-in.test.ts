import { randomUUID } from 'node:crypto';
import { openDatabase } from '@cloudhal/shared/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../testing/mcp.ts';
import { type Browser, browser, cookieOf, type Replica, startWorld, type World } from '../testing/world.ts';

let world: World;
let replica: Replica;
const password = 'correct horse battery';
const unlimited = { perMinute: 60_000, burst: 10_000 };

beforeAll(async () => {
  world = await startWorld('postgres');
  replica = await world.replica({ limits: { signIn: unlimited } });
});
afterAll(() => world.stop());

/** As from our own page, unless said otherwise. */
function post(path: string, body: unknown, headers: Record<string, string> = {}, to = replica) {
  return to.send(path, {
    method: 'POST',
    headers: { origin: replica.url, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const tokenOf = (url: string) => new URL(url).searchParams.get('token')!;
const account = (email: string) => ({ name: 'Ada <b>', email, password });

describe('the first owner', () => {
  it('makes an account with a link that works once, and is signed in', async () => {
    const admin = { authorization: `Bearer ${world.deploymentToken}` };
    const replaced = await post('/api/admin/first-owner-link', {}, admin);
    const made = await post('/api/admin/first-owner-link', {}, admin);
    expect(made.status, made.text).toBe(201);
    const token = tokenOf(made.json.url);
    const looked = await post('/api/join/invitation', { token: tokenOf(replaced.json.url) });
    expect([looked.status, codeOf(looked)]).toEqual([410, 'link_invalid']);
    expect((await post('/api/join/invitation', { token })).json).toEqual({
      invitation: { role: 'owner', firstOwner: true },
    });

    const joined = await post('/api/join', { token, ...account('Ada@Example.com') });
    expect(joined.status, joined.text).toBe(201);
    const session = await browser(replica, '', cookieOf(joined)).send('/api/session');
    expect(session.json).toMatchObject({
      person: { name: 'Ada <b>', role: 'owner', email: 'ada@example.com' },
      recentSignIn: true,
    });

    expect((await post('/api/join', { token, ...account('eve@example.com') })).status).toBe(410);
    expect(codeOf(await post('/api/admin/first-owner-link', {}, admin))).toBe('owner_exists');
    expect(await replica.createFirstOwnerLink()).toBeUndefined();
    const added = (await world.events('config.member_added')).map(({ details }) => details);
    expect(added).toEqual([{ role: 'owner', firstOwner: true }]);
  });

  it('is one person, however many follow the link at the same time', async () => {
    const crowd = await startWorld('postgres');
    try {
      const there = await crowd.replica({ limits: { signIn: unlimited } });
      const token = tokenOf((await there.createFirstOwnerLink())!);
      const answers = await Promise.all(
        [1, 2, 3, 4].map((n) =>
          there.send('/api/join', {
            method: 'POST',
            headers: { origin: there.url, 'content-type': 'application/json' },
            body: JSON.stringify({ token, ...account(`n${n}@example.com`) }),
          }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410]);
      expect(await crowd.owner.query('SELECT role FROM gateway.member')).toEqual([{ role: 'owner' }]);
    } finally {
      await crowd.stop();
    }
  });

  it('says what is wrong with an account, and keeps the link', async () => {
    const owner = await world.person(replica, 'owner');
    const invited = await owner.send('/api/people/invitations', { json: { role: 'reviewer' } });
    const token = tokenOf(invited.json.url);
    const refused = await post('/api/join', { token, ...account('short@example.com'), password: 'short' });
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('password')]);
    const forged = await post('/api/join', { token, ...account('role@example.com'), role: 'owner' });
    expect(codeOf(forged)).toBe('validation_failed');
    expect((await post('/api/join', { token, ...account('role@example.com') })).json.person.role).toBe('reviewer');
  });
});

describe('/api/admin', () => {
  it('opens to the deployment token only', async () => {
    const { cookie } = await world.person(replica, 'owner');
    const { secret } = await replica.createAgentKey({ name: 'x', scopes: '*' });
    const others = [
      ['cookie', cookie],
      ['authorization', `Bearer ${secret}`],
      ['authorization', 'Bearer nonsense'],
    ];
    for (const [name, value] of others) {
      expect((await post('/api/admin/first-owner-link', {}, { [name!]: value! })).status).toBe(401);
    }
  });
});

describe('signing in', () => {
  it('gives a cookie that scripts cannot read and other sites do not send', async () => {
    const owner = await world.person(replica, 'owner');
    const { email } = (await owner.send('/api/session')).json.person;
    const signedIn = await post('/api/auth/sign-in/email', { email: email.toUpperCase(), password });
    expect(signedIn.status, signedIn.text).toBe(200);
    const [cookie] = signedIn.headers['set-cookie']!;
    expect(cookie).toMatch(/^cloudhal\.session_token=.*HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    expect(cookie).not.toMatch(/Domain=/i);
    const again = browser(replica, owner.memberId, cookieOf(signedIn));
    expect((await again.send('/api/session')).status).toBe(200);
    expect((await world.events('auth.signed_in')).at(-1)).toMatchObject({ actor: { id: `person:${owner.memberId}` } });

    expect((await again.send('/api/auth/sign-out', { json: {} })).status).toBe(204);
    expect(codeOf(await again.send('/api/session'))).toBe('sign_in_required');
    expect((await owner.send('/api/session')).status).toBe(200);
  });

  it('binds the cookie to the host on https', async () => {
    const secure = await world.replica({
      publicUrl: 'https://studio.example.com',
      trustProxy: 'loopback',
      limits: { signIn: unlimited },
    });
    const owner = await world.person(replica, 'owner');
    const { email } = (await owner.send('/api/session')).json.person;
    const headers = { host: 'studio.example.com', origin: 'https://studio.example.com', 'x-forwarded-proto': 'https' };
    const signedIn = await secure.send('/api/auth/sign-in/email', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(signedIn.status, signedIn.text).toBe(200);
    const [cookie] = signedIn.headers['set-cookie']!;
    expect(cookie).toMatch(/^__Host-cloudhal\.session_token=/);
    expect(cookie).toMatch(/Path=\//);
    expect(cookie).toMatch(/Secure/);
    const session = await secure.send('/api/session', { headers: { ...headers, cookie: cookieOf(signedIn) } });
    expect(session.status).toBe(200);
  });

  it('refuses an unknown address and a wrong password alike', async () => {
    const owner = await world.person(replica, 'owner');
    const { email } = (await owner.send('/api/session')).json.person;
    const wrong = (sent: string) => post('/api/auth/sign-in/email', { email: sent, password: 'wrong password' });
    const [known, unknown] = [await wrong(email), await wrong('nobody@example.com')];
    expect([known.status, codeOf(known)]).toEqual([401, 'sign_in_failed']);
    expect(unknown.text).toBe(known.text);
    expect(known.headers['set-cookie']).toBeUndefined();
  });

  it('is limited for each account and address', async () => {
    const guarded = await startWorld('postgres');
    try {
      const there = await guarded.replica({ limits: { signIn: { perMinute: 1, burst: 3 } } });
      const attempt = () =>
        there.send('/api/auth/sign-in/email', {
          method: 'POST',
          headers: { origin: there.url, 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'ada@example.com', password: 'wrong password' }),
        });
      const statuses = [];
      for (let i = 0; i < 4; i++) statuses.push((await attempt()).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
    } finally {
      await guarded.stop();
    }
  });

  it('is not taken from an account by an address that is over its limit', async () => {
    const guarded = await startWorld('postgres');
    try {
      const there = await guarded.replica({ trustProxy: true, limits: { signIn: { perMinute: 1, burst: 3 } } });
      const attempt = async (from: string, name: string) => {
        const headers = { origin: there.url, 'content-type': 'application/json', 'x-forwarded-for': from };
        const body = JSON.stringify({ email: `${name}@example.com`, password: 'wrong password' });
        return (await there.send('/api/auth/sign-in/email', { method: 'POST', headers, body })).status;
      };
      for (const name of ['a', 'b', 'c']) expect(await attempt('192.0.2.1', name)).toBe(401);
      for (let i = 0; i < 4; i++) expect(await attempt('192.0.2.1', 'ada')).toBe(429);
      expect(await attempt('198.51.100.1', 'ada')).toBe(401);
    } finally {
      await guarded.stop();
    }
  });

  it('is no way to make an account, whatever the library could do', async () => {
    for (const path of [
      '/sign-up/email',
      '/update-user',
      '/delete-user',
      '/request-password-reset',
      '/sign-in/social',
    ]) {
      expect((await post(`/api/auth${path}`, { email: 'x@example.com', password, name: 'x' })).status, path).toBe(404);
    }
  });

  it('lets a person change their password, which ends their other sessions', async () => {
    const person = await world.person(replica, 'editor');
    const { email } = (await person.send('/api/session')).json.person;
    const elsewhere = browser(replica, '', cookieOf(await post('/api/auth/sign-in/email', { email, password })));
    const wrong = { currentPassword: 'wrong password', newPassword: 'another horse battery' };
    expect(codeOf(await person.send('/api/auth/change-password', { json: wrong }))).toBe('sign_in_failed');
    const right = { currentPassword: password, newPassword: 'another horse battery' };
    const changed = await person.send('/api/auth/change-password', { json: right });
    expect(changed.status, changed.text).toBe(204);
    expect((await elsewhere.send('/api/session')).status).toBe(401);
    expect((await post('/api/auth/sign-in/email', { email, password })).status).toBe(401);
    expect((await post('/api/auth/sign-in/email', { email, password: right.newPassword })).status).toBe(200);
  });

  it('changes no password and signs nobody out without a line in the record', async () => {
    const person = await world.person(replica, 'editor');
    const { email } = (await person.send('/api/session')).json.person;
    const json = { currentPassword: password, newPassword: 'another horse battery' };
    const [changed, left] = await world.withoutRecord(async () => [
      await person.send('/api/auth/change-password', { json }),
      await person.send('/api/auth/sign-out', { json: {} }),
    ]);
    expect([changed!.status, left!.status]).toEqual([500, 500]);
    expect((await person.send('/api/session')).status).toBe(200);
    expect((await post('/api/auth/sign-in/email', { email, password })).status).toBe(200);
    const mine = async (type: string) =>
      (await world.events(type)).filter(({ actor }) => actor.id === `person:${person.memberId}`).length;
    expect([await mine('auth.password_changed'), await mine('auth.signed_out')]).toEqual([0, 0]);
    expect((await person.send('/api/auth/sign-out', { json: {} })).status).toBe(204);
    expect([await mine('auth.signed_out'), (await person.send('/api/session')).status]).toEqual([1, 401]);
  });
});

describe('a change from somewhere else', () => {
  let cookie: string;
  beforeAll(async () => {
    cookie = (await world.person(replica, 'owner')).cookie;
  });

  it.each([
    ['a form of another site', { origin: 'https://evil.example', 'content-type': 'text/plain' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['a page of a neighbour', { origin: '', 'sec-fetch-site': 'same-site' }, 403],
    ['a link', { origin: '', 'sec-fetch-site': 'cross-site' }, 403],
    ['a program that says nothing', { origin: '' }, 403],
    ['our own page, as text', { 'content-type': 'text/plain' }, 415],
    ['our own page, as a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['our own page, with another method in disguise', { 'x-http-method-override': 'DELETE' }, 201],
  ])('%s does not act with the cookie', async (_what, forged, status) => {
    const headers = Object.entries({ cookie, origin: replica.url, 'content-type': 'application/json', ...forged });
    const sent = Object.fromEntries(headers.filter(([, value]) => value !== ''));
    const answer = await replica.send('/api/agent-keys', {
      method: 'POST',
      headers: sent,
      body: '{"name":"x","scopes":["content:read"]}',
    });
    expect(answer.status, answer.text).toBe(status);
  });

  it('does not sign anybody in or make an account', async () => {
    const body = { email: 'x@example.com', password };
    expect((await post('/api/auth/sign-in/email', body, { origin: 'https://evil.example' })).status).toBe(403);
    const headers = { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post('/api/join', 'token=x', headers)).status).toBe(403);
  });
});

describe('the people of a deployment', () => {
  it('are managed by owners who signed in a short while ago', async () => {
    const owner = await world.person(replica, 'owner');
    const editor = await world.person(replica, 'editor');
    expect(codeOf(await editor.send('/api/people/invitations', { json: { role: 'owner' } }))).toBe('forbidden');
    const path = `/api/people/${editor.memberId}`;
    expect(codeOf(await editor.send(path, { method: 'PATCH', json: { role: 'owner' } }))).toBe('forbidden');
    await world.owner.query(`UPDATE gateway."session" SET "authenticatedAt" = now() - interval '11 minutes'`);
    expect((await owner.send('/api/session')).json.recentSignIn).toBe(false);
    expect(codeOf(await owner.send(path, { method: 'DELETE' }))).toBe('reauthentication_required');
    expect((await editor.send('/api/people')).json.people.length).toBeGreaterThan(1);
  });

  it.each([
    ['removed', { method: 'DELETE' }],
    ['made an editor', { method: 'PATCH', json: { role: 'editor' } }],
  ])('are not let in by an owner who was %s', async (_what, change) => {
    const [owner, former] = [await world.person(replica, 'owner'), await world.person(replica, 'owner')];
    const invite = async (by: Browser) =>
      (await by.send('/api/people/invitations', { json: { role: 'owner' } })).json.url as string;
    const [kept, ended] = [await invite(owner), await invite(former)];
    expect((await owner.send(`/api/people/${former.memberId}`, change)).status).toBeLessThan(300);
    const follow = (url: string) =>
      post('/api/join', { token: tokenOf(url), ...account(`${randomUUID()}@example.com`) });
    expect(codeOf(await follow(ended))).toBe('link_invalid');
    expect((await follow(kept)).status).toBe(201);
  });

  it('always have an owner', async () => {
    const small = await startWorld('postgres');
    try {
      const there = await small.replica({ limits: { signIn: unlimited } });
      const [first, second] = [await small.person(there, 'owner'), await small.person(there, 'owner')];
      const demote = (who: string) => first.send(`/api/people/${who}`, { method: 'PATCH', json: { role: 'editor' } });
      const outcomes = await Promise.all([demote(first.memberId), demote(second.memberId)]);
      expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
      const owners = await small.owner.query(`SELECT id FROM gateway.member WHERE role = 'owner'`);
      expect(owners).toHaveLength(1);
    } finally {
      await small.stop();
    }
  });
});

it('a session is neither good nor bad while the store is away', async () => {
  const person = await world.person(replica, 'editor');
  const admin = openDatabase({ url: process.env.CLOUDHAL_TEST_POSTGRES_URL!, name: 'test' });
  const [store] = await world.owner.query<{ name: string }>('SELECT current_database() AS name');
  await admin.query(`ALTER DATABASE "${store!.name}" WITH ALLOW_CONNECTIONS false`);
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = $1 AND application_name = 'cloudhal-gateway-accounts'`,
    [store!.name],
  );
  try {
    const refused = await person.send('/api/session');
    expect([refused.status, codeOf(refused)]).toEqual([503, 'storage_unavailable']);
  } finally {
    await admin.query(`ALTER DATABASE "${store!.name}" WITH ALLOW_CONNECTIONS true`);
    await admin.close();
  }
  expect((await person.send('/api/session')).status).toBe(200);
});
