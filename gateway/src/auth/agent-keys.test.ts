import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerCalls, callerOf, callTool, codeOf } from '../testing/mcp.ts';
import { type Browser, type Replica, startWorld, type World } from '../testing/world.ts';

let world: World;
let replica: Replica;
/** Shares the stores and hears no event of the first: as if each were lost. */
let other: Replica;
let owner: Browser;
let editor: Browser;
let reviewer: Browser;

const limits = {
  key: { perMinute: 6000, burst: 1000 },
  owner: { perMinute: 6000, burst: 1000 },
  signIn: { perMinute: 6000, burst: 1000 },
  failedAuth: { perMinute: 6000, burst: 1000 },
};

beforeAll(async () => {
  world = await startWorld('postgres');
  replica = await world.replica({ limits });
  other = await world.replica({ limits });
  for (const { bus } of [replica, other]) await answerCalls(bus, world.verifier);
  owner = await world.person(replica, 'owner');
  editor = await world.person(replica, 'editor');
  reviewer = await world.person(replica, 'reviewer');
});
afterAll(() => world.stop());

async function mint(by: Browser, wish: object = {}) {
  const made = await by.send('/api/agent-keys', { json: { name: 'robot', scopes: ['content:read'], ...wish } });
  expect(made.status, made.text).toBe(201);
  return made.json as { key: { id: string; expiresAt: string; mode: string }; secret: string; warnings: string[] };
}

/** The code that a call is refused with; one that starts later than `ms` from now must be. */
async function refusedWithin(replica: Replica, key: string, ms: number): Promise<string | undefined> {
  const deadline = performance.now() + ms;
  for (;;) {
    const startedAt = performance.now();
    const answer = await callTool(replica, { authorization: `Bearer ${key}` });
    if (answer.status !== 200) return codeOf(answer);
    if (startedAt > deadline) return 'still let in';
    await sleep(25);
  }
}

describe('making an agent key', () => {
  it('gives a person a secret once, and an agent who runs as that key', async () => {
    const { key, secret } = await mint(editor, { mode: 'auto', sites: ['site_1'], toolsets: ['core'] });
    expect(await callerOf(replica, secret)).toMatchObject({
      id: `agent:${key.id}`,
      kind: 'agent',
      name: 'robot',
      owner: `person:${editor.memberId}`,
      role: 'editor',
      keyId: key.id,
      keyGeneration: 1,
      mode: 'auto',
      scopes: ['content:read'],
      sites: ['site_1'],
      remote: true,
    });
    const listed = await editor.send('/api/agent-keys');
    expect(listed.json.keys.find(({ id }: { id: string }) => id === key.id)).toMatchObject({ state: 'active' });
    expect(listed.text).not.toContain(secret);
  });

  it('lives for 90 days unless told otherwise, and for a year at most', async () => {
    const { key } = await mint(editor);
    const days = (Date.parse(key.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThan(90.1);
    const long = await editor.send('/api/agent-keys', { json: { name: 'x', scopes: '*', expiresInDays: 366 } });
    expect(codeOf(long)).toBe('validation_failed');
  });

  it.each([
    { userId: 'somebody' },
    { ownerId: 'somebody' },
    { permissions: ['*'] },
    { role: 'owner' },
    { id: '0123456789' },
    { generation: 9 },
    { createdBy: 'somebody' },
    { revokedAt: null },
  ])('refuses what is not the person’s to say: %j', async (forged) => {
    const answer = await editor.send('/api/agent-keys', { json: { name: 'x', scopes: ['content:read'], ...forged } });
    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toBe('validation_failed');
  });

  it.each([
    [{ scopes: '*' }, 'forbidden'],
    [{ scopes: ['publish'] }, 'scope_missing'],
    [{ scopes: ['content:read'], mode: 'edits' }, 'forbidden'],
    [{ scopes: ['content:read', 'root'] }, 'validation_failed'],
    [{ scopes: ['content:read'], mode: 'god' }, 'validation_failed'],
  ])('never goes beyond the role of a reviewer: %j', async (wish, code) => {
    expect(codeOf(await reviewer.send('/api/agent-keys', { json: { name: 'x', ...wish } }))).toBe(code);
  });

  it('gives a reviewer a key that only plans', async () => {
    const { key, secret } = await mint(reviewer);
    expect(key.mode).toBe('plan');
    expect((await callerOf(replica, secret)).mode).toBe('plan');
  });

  it('needs somebody who is signed in', async () => {
    const body = JSON.stringify({ name: 'x', scopes: '*', userId: owner.memberId });
    const headers = { origin: replica.url, 'content-type': 'application/json' };
    const answer = await replica.send('/api/agent-keys', { method: 'POST', headers, body });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'sign_in_required']);
    const { secret } = await mint(owner, { scopes: '*' });
    const withKey = { ...headers, authorization: `Bearer ${secret}` };
    expect((await replica.send('/api/agent-keys', { method: 'POST', headers: withKey, body })).status).toBe(401);
  });

  it('warns of a key that reads comments and publishes', async () => {
    const { key, warnings } = await mint(editor, { scopes: ['comments:read', 'publish'] });
    expect(warnings).toEqual([expect.stringMatching(/strangers/)]);
    // Also whenever it is looked at, and no longer once it was changed.
    const listed = (await editor.send('/api/agent-keys')).json.keys.find(({ id }: { id: string }) => id === key.id);
    expect(listed.warnings).toEqual(warnings);
    const changed = await editor.send(`/api/agent-keys/${key.id}`, { method: 'PATCH', json: { scopes: ['publish'] } });
    expect(changed.json.key.warnings).toEqual([]);
  });

  it('is in the record, without the secret', async () => {
    const { key, secret } = await mint(owner);
    const [event] = (await world.events('key.created')).filter(({ targets }) => targets[0].id === `agent:${key.id}`);
    expect(event).toMatchObject({ site: '_deployment', actor: { type: 'person', id: `person:${owner.memberId}` } });
    expect(JSON.stringify(await world.events())).not.toContain(secret.slice(20, 40));
  });
});

describe('who sees and changes a key', () => {
  it('is its owner, and an owner of the deployment; an auditor sees it', async () => {
    const auditor = await world.person(replica, 'auditor');
    const { key } = await mint(editor);
    const sees = async (person: Browser) =>
      (await person.send('/api/agent-keys')).json.keys.some(({ id }: { id: string }) => id === key.id);
    expect([await sees(editor), await sees(owner), await sees(auditor), await sees(reviewer)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    for (const person of [reviewer, auditor]) {
      const path = `/api/agent-keys/${key.id}`;
      expect((await person.send(path, { method: 'DELETE' })).status).toBe(404);
      expect((await person.send(path, { method: 'PATCH', json: { mode: 'plan' } })).status).toBe(404);
      expect((await person.send(`${path}/rotate`, { json: {} })).status).toBe(404);
    }
    expect((await owner.send(`/api/agent-keys/${key.id}`, { method: 'DELETE' })).json.key.state).toBe('revoked');
  });

  it('hands its secret to nobody but its owner: it acts for them', async () => {
    const { key, secret } = await mint(editor);
    const path = `/api/agent-keys/${key.id}`;
    const taken = await owner.send(`${path}/rotate`, { json: {} });
    expect([taken.status, codeOf(taken), taken.json.secret]).toEqual([403, 'forbidden', undefined]);
    expect(await callerOf(replica, secret)).toMatchObject({ keyGeneration: 1 });
    expect((await owner.send(path, { method: 'PATCH', json: { mode: 'plan' } })).json.key.mode).toBe('plan');
  });

  it('may not give a key more than its owner may have, not even an owner', async () => {
    const { key } = await mint(reviewer);
    const path = `/api/agent-keys/${key.id}`;
    expect(codeOf(await owner.send(path, { method: 'PATCH', json: { mode: 'auto' } }))).toBe('forbidden');
    expect(codeOf(await owner.send(path, { method: 'PATCH', json: { scopes: ['publish'] } }))).toBe('scope_missing');
  });
});

describe('what gives a key its rights', () => {
  const ageSignIns = (by: string) =>
    world.owner.query(`UPDATE gateway."session" SET "authenticatedAt" = now() - interval '${by}'`);

  it('asks for a recent sign-in; ending a key does not', async () => {
    const { key } = await mint(editor);
    const path = `/api/agent-keys/${key.id}`;
    await ageSignIns('11 minutes');
    try {
      const refused = [
        await editor.send('/api/agent-keys', { json: { name: 'x', scopes: '*', mode: 'bypass' } }),
        await editor.send(path, { method: 'PATCH', json: { mode: 'auto' } }),
        await editor.send(`${path}/rotate`, { json: {} }),
      ];
      expect(refused.map(codeOf)).toEqual(Array(3).fill('reauthentication_required'));
      expect((await editor.send(path)).json.key).toMatchObject({ mode: 'edits', generation: 1 });
      expect((await editor.send(path, { method: 'DELETE' })).json.key.state).toBe('revoked');
    } finally {
      await ageSignIns('0');
    }
  });
});

describe('a change of a key', () => {
  it('holds on another replica within a second, though the event was lost', async () => {
    const { key, secret } = await mint(editor, { mode: 'auto' });
    expect((await callerOf(other, secret)).mode).toBe('auto');
    const changed = await editor.send(`/api/agent-keys/${key.id}`, { method: 'PATCH', json: { mode: 'plan' } });
    expect(changed.json.key).toMatchObject({ mode: 'plan', generation: 2 });
    expect(await callerOf(replica, secret)).toMatchObject({ mode: 'plan', keyGeneration: 2 });
    await sleep(1_000);
    expect(await callerOf(other, secret)).toMatchObject({ mode: 'plan', keyGeneration: 2 });
    expect(await world.keyValue.get(`key-generation:${key.id}`)).toBe('2');
  });

  it('revokes it at once here, and within a second where the event was lost', async () => {
    const { key, secret } = await mint(editor);
    await callerOf(replica, secret);
    await callerOf(other, secret);
    const revoked = await editor.send(`/api/agent-keys/${key.id}`, { method: 'DELETE' });
    expect(revoked.json.key.state).toBe('revoked');
    expect(await refusedWithin(replica, secret, 100)).toBe('unauthorized');
    expect(await refusedWithin(other, secret, 1_000)).toBe('unauthorized');
    expect(await world.keyValue.get(`revoked:${key.id}`)).toBeDefined();
    const again = await editor.send(`/api/agent-keys/${key.id}`, { method: 'DELETE' });
    expect(again.json.key.generation).toBe(revoked.json.key.generation);
  });

  it('rotates the secret: the old one is good for the overlap only', async () => {
    const { key, secret } = await mint(editor);
    const overlapping = await editor.send(`/api/agent-keys/${key.id}/rotate`, { json: { overlapHours: 1 } });
    const second = overlapping.json.secret;
    expect(second).not.toBe(secret);
    for (const good of [secret, second]) {
      expect(await callerOf(replica, good)).toMatchObject({ keyId: key.id, keyGeneration: 2 });
    }
    const third = (await editor.send(`/api/agent-keys/${key.id}/rotate`, { json: {} })).json.secret;
    expect(await refusedWithin(replica, secret, 100)).toBe('unauthorized');
    expect(await refusedWithin(replica, second, 100)).toBe('unauthorized');
    expect((await callerOf(replica, third)).keyGeneration).toBe(3);
    const long = await editor.send(`/api/agent-keys/${key.id}/rotate`, { json: { overlapHours: 25 } });
    expect(codeOf(long)).toBe('validation_failed');
  });

  it('refuses a key that has expired, and changes nothing on it any more', async () => {
    const { key, secret } = await mint(editor);
    await world.owner.query('UPDATE gateway.agent_key SET expires_at = now() WHERE id = $1', [key.id]);
    expect(await refusedWithin(replica, secret, 1_000)).toBe('unauthorized');
    const changed = await editor.send(`/api/agent-keys/${key.id}`, { method: 'PATCH', json: { mode: 'plan' } });
    expect(changed.status).toBe(404);
  });

  it('renews a key that has expired with a new secret and a new end; the old secret stays refused', async () => {
    const { key, secret } = await mint(editor);
    await world.owner.query('UPDATE gateway.agent_key SET expires_at = now() WHERE id = $1', [key.id]);
    const json = { overlapHours: 24, expiresInDays: 7 };
    const renewed = await editor.send(`/api/agent-keys/${key.id}/rotate`, { json });
    expect(renewed.json.key).toMatchObject({ id: key.id, state: 'active', generation: 2, previousUntil: null });
    const days = (Date.parse(renewed.json.key.expiresAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect(await callerOf(replica, renewed.json.secret)).toMatchObject({ keyId: key.id });
    expect(await refusedWithin(replica, secret, 100)).toBe('unauthorized');
    expect((await world.events('key.rotated')).at(-1)?.details).toMatchObject({ expiresAt: expect.any(String) });
  });

  it('is not renewed beyond what its owner may have today, nor once it is revoked or its owner is gone', async () => {
    const person = await world.person(replica, 'editor');
    const expired = async (from: Browser, wish: object) => {
      const { key } = await mint(from, wish);
      await world.owner.query('UPDATE gateway.agent_key SET expires_at = now() WHERE id = $1', [key.id]);
      return `/api/agent-keys/${key.id}`;
    };
    const path = await expired(person, { mode: 'auto', scopes: ['content:read', 'publish'] });
    await owner.send(`/api/people/${person.memberId}`, { method: 'PATCH', json: { role: 'reviewer' } });
    expect(codeOf(await person.send(`${path}/rotate`, { json: {} }))).toBe('scope_missing');
    await owner.send(`/api/people/${person.memberId}`, { method: 'DELETE' });
    expect(codeOf(await owner.send(`${path}/rotate`, { json: {} }))).toBe('forbidden');
    const revoked = await expired(editor, {});
    await editor.send(revoked, { method: 'DELETE' });
    expect(codeOf(await editor.send(`${revoked}/rotate`, { json: {} }))).toBe('not_found');
  });
});

describe('the owner of a key', () => {
  it('takes its rights along when their role shrinks', async () => {
    const person = await world.person(replica, 'editor');
    const { secret } = await mint(person, { mode: 'auto', scopes: ['content:read', 'publish'] });
    await callerOf(other, secret);
    const changed = await owner.send(`/api/people/${person.memberId}`, { method: 'PATCH', json: { role: 'reviewer' } });
    expect(changed.status, changed.text).toBe(200);
    const shrunk = { role: 'reviewer', mode: 'plan', scopes: ['content:read'], keyGeneration: 2 };
    expect(await callerOf(replica, secret)).toMatchObject(shrunk);
    await sleep(1_000);
    expect(await callerOf(other, secret)).toMatchObject(shrunk);
  });

  it('takes it along when they leave: 403 not_a_member', async () => {
    const person = await world.person(replica, 'editor');
    const { key, secret } = await mint(person);
    await callerOf(replica, secret);
    expect((await owner.send(`/api/people/${person.memberId}`, { method: 'DELETE' })).status).toBe(204);
    const answer = await callTool(replica, { authorization: `Bearer ${secret}` });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'not_a_member']);
    expect(await world.keyValue.get(`revoked:${key.id}`)).toBeDefined();
    expect((await person.send('/api/session')).status).toBe(401);
  });
});

describe('keys at rest', () => {
  it('are not in a dump of the database, nor in a log', async () => {
    const { secret } = await mint(editor);
    await callerOf(replica, secret);
    await callTool(replica, { authorization: `Bearer ${secret.slice(0, -1)}x` });
    await replica.send(`/nowhere?key=${secret}`);
    const tables = await world.owner.query(
      `SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema IN ('gateway', 'shared')`,
    );
    for (const { table_schema, table_name } of tables) {
      const rows = await world.owner.query(`SELECT row_to_json(t)::text AS row FROM ${table_schema}."${table_name}" t`);
      expect(
        rows.some(({ row }) => row.includes(secret.slice(20, 63))),
        table_name,
      ).toBe(false);
    }
    expect(world.logged()).not.toContain(secret.slice(20, 40));
  });

  it('move to a new pepper as they are used, and the old pepper can go', async () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    const before = await world.replica({ limits }, { peppers: [older] });
    const during = await world.replica({ limits }, { peppers: [newer, older] });
    const after = await world.replica({ limits }, { peppers: [newer] });
    for (const { bus } of [before, during, after]) await answerCalls(bus, world.verifier);
    const { secret } = await before.createAgentKey({ name: 'old', scopes: ['content:read'] });
    expect((await callTool(after, { authorization: `Bearer ${secret}` })).status).toBe(401);
    expect((await callerOf(during, secret)).owner).toBe('local');
    await expect
      .poll(async () => (await callTool(after, { authorization: `Bearer ${secret}` })).status, { timeout: 5_000 })
      .toBe(200);
    expect(await refusedWithin(before, secret, 2_000)).toBe('unauthorized');
  });

  it('remember when they were last used', async () => {
    const { key, secret } = await mint(editor);
    await callerOf(replica, secret);
    const lastUsed = async () =>
      (await world.owner.query('SELECT last_used_at FROM gateway.agent_key WHERE id = $1', [key.id]))[0]?.last_used_at;
    await expect.poll(lastUsed, { timeout: 5_000 }).not.toBeNull();
    const first = await lastUsed();
    for (let i = 0; i < 5; i++) await callerOf(replica, secret);
    expect(await lastUsed()).toEqual(first);
  });
});
