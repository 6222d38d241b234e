import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../testing/mcp.ts';
import { startSmtp } from '../testing/smtp.ts';
import { type Browser, type Replica, startWorld, type World } from '../testing/world.ts';

let world: World;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let replica: Replica;
let owner: Browser;
const unlimited = { perMinute: 60_000, burst: 10_000 };

beforeAll(async () => {
  [world, smtp] = await Promise.all([startWorld('postgres'), startSmtp()]);
  const mail = { url: smtp.url, from: 'Cloudhal <cloudhal@example.com>' };
  replica = await world.replica({ limits: { signIn: unlimited }, mail });
  owner = await world.person(replica, 'owner');
});
afterAll(async () => {
  await world.stop();
  await smtp.stop();
});

const post = (path: string, body: object, to = replica) =>
  to.send(path, {
    method: 'POST',
    headers: { origin: to.url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const emailOf = async (browser: Browser) => (await browser.send('/api/session')).json.person.email as string;
const tokenIn = (text: string) => /token=([\w%-]+)/.exec(text)![1]!;

describe('a forgotten password', () => {
  it('is replaced by a link that came by mail, works once, and ends all sessions', async () => {
    const email = await emailOf(owner);
    expect((await post('/api/auth/forgot-password', { email: email.toUpperCase() })).status).toBe(202);
    const mail = await smtp.mailWith('asked for a new password');
    expect(mail).toMatchObject({ to: [email], from: 'cloudhal@example.com' });
    expect(mail.text).toContain(`${replica.url}/studio/reset-password?token=`);

    const reset = { token: tokenIn(mail.text), newPassword: 'an entirely new one' };
    expect(codeOf(await post('/api/auth/reset-password', { ...reset, newPassword: 'short' }))).toBe(
      'validation_failed',
    );
    const unrecorded = await world.withoutRecord(() => post('/api/auth/reset-password', reset));
    expect([unrecorded.status, (await owner.send('/api/session')).status]).toEqual([500, 200]);
    expect((await post('/api/auth/reset-password', reset)).status).toBe(204);
    expect(await world.events('auth.password_changed')).toMatchObject([
      { actor: { id: `person:${owner.memberId}` }, details: { by: 'mail' } },
    ]);
    expect(codeOf(await post('/api/auth/reset-password', reset))).toBe('link_invalid');
    expect(codeOf(await owner.send('/api/session'))).toBe('sign_in_required');
    const signedIn = await post('/api/auth/sign-in/email', { email, password: reset.newPassword });
    expect(signedIn.status, signedIn.text).toBe(200);
  });

  it('is answered alike for an address that nobody has', async () => {
    const answer = await post('/api/auth/forgot-password', { email: 'nobody@example.com' });
    const email = await emailOf(await world.person(replica, 'editor'));
    const known = await post('/api/auth/forgot-password', { email });
    expect([answer.status, answer.json]).toEqual([known.status, known.json]);
    await smtp.mailWith(email);
    expect(smtp.mails.flatMap(({ to }) => to)).not.toContain('nobody@example.com');
    expect(world.logged()).not.toContain('nobody@example.com');
  });

  it('is nothing that a deployment without mail offers', async () => {
    const silent = await world.replica();
    expect((await silent.send('/api/auth/methods')).json).toEqual({ passwordReset: false });
    expect(codeOf(await post('/api/auth/forgot-password', { email: 'a@example.com' }, silent))).toBe('forbidden');
    expect((await replica.send('/api/auth/methods')).json).toEqual({ passwordReset: true });
  });
});

describe('an invitation', () => {
  it('is mailed where it has an address, and can be withdrawn', async () => {
    const boss = await world.person(replica, 'owner');
    const invited = await boss.send('/api/people/invitations', { json: { role: 'editor', email: 'New@Example.com' } });
    expect(invited.json).toMatchObject({ role: 'editor', mailed: true });
    expect((await smtp.mailWith(invited.json.url)).to).toEqual(['new@example.com']);
    const listed = await boss.send('/api/people/invitations');
    expect(listed.json.invitations).toMatchObject([{ id: invited.json.id, email: 'new@example.com', role: 'editor' }]);
    expect(JSON.stringify(listed.json)).not.toContain(tokenIn(invited.json.url));
    const editor = await world.person(replica, 'editor');
    expect(codeOf(await editor.send('/api/people/invitations'))).toBe('forbidden');
    const path = `/api/people/invitations/${invited.json.id}`;
    expect(codeOf(await editor.send(path, { method: 'DELETE' }))).toBe('forbidden');
    expect((await boss.send(path, { method: 'DELETE' })).status).toBe(204);
    expect(codeOf(await post('/api/join/invitation', { token: tokenIn(invited.json.url) }))).toBe('link_invalid');
  });
});

describe('the sessions of a person', () => {
  it('are listed to them, and end at once when they say so', async () => {
    const person = await world.person(replica, 'reviewer');
    const email = await emailOf(person);
    const again = await post('/api/auth/sign-in/email', { email, password: 'correct horse battery' });
    const elsewhere = (again.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
    const listed = (await person.send('/api/session/all')).json.sessions;
    expect(listed).toHaveLength(2);
    expect(listed.filter(({ isThis }: { isThis: boolean }) => isThis)).toHaveLength(1);
    expect(listed[0].network).toMatch(/^127\.0\.0\.0\/24$/);
    expect(JSON.stringify(listed)).not.toMatch(/token/i);

    const other = listed.find(({ isThis }: { isThis: boolean }) => !isThis);
    expect((await owner.send(`/api/session/all/${other.id}`, { method: 'DELETE' })).status).not.toBe(204);
    expect((await person.send(`/api/session/all/${other.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(codeOf(await replica.send('/api/session', { headers: { cookie: elsewhere } }))).toBe('sign_in_required');
    expect((await person.send('/api/session')).status).toBe(200);
  });

  it('end with the membership, which one leaves oneself', async () => {
    const person = await world.person(replica, 'editor');
    const { secret } = (await person.send('/api/agent-keys', { json: { name: 'x', scopes: ['content:read'] } })).json;
    expect((await person.send('/api/session/membership', { method: 'DELETE' })).status).toBe(204);
    expect(codeOf(await person.send('/api/session'))).toBe('sign_in_required');
    const call = await replica.send('/mcp', { method: 'POST', headers: { authorization: `Bearer ${secret}` } });
    expect([401, 403]).toContain(call.status);
  });
});
