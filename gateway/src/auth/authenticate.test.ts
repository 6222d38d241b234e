import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerCalls, callTool, codeOf } from '../testing/mcp.ts';
import { browser, type Replica, startWorld, type World } from '../testing/world.ts';
import { newKey } from './key-format.ts';

let world: World;
let replica: Replica;
let key: string;
let keyId: string;

beforeAll(async () => {
  world = await startWorld();
  const unlimited = { perMinute: 60_000, burst: 10_000 };
  replica = await world.replica({ limits: { key: unlimited, owner: unlimited, failedAuth: unlimited } });
  await answerCalls(replica.bus, world.verifier);
  const made = await replica.createAgentKey({ name: 'robot', scopes: '*' });
  key = made.secret;
  keyId = made.key.id;
});
afterAll(() => world.stop());

describe('POST /mcp', () => {
  it.each([
    ['Authorization: Bearer', () => ({ authorization: `Bearer ${key}` })],
    ['the scheme in lower case', () => ({ authorization: `bearer ${key}` })],
    ['x-api-key', () => ({ 'x-api-key': key })],
    ['the same key in both', () => ({ authorization: `Bearer ${key}`, 'x-api-key': key })],
  ])('takes a key as %s', async (_way, headers) => {
    const answer = await callTool(replica, headers());
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it.each([
    ['in two headers', () => ({ authorization: `Bearer ${key}`, 'x-api-key': newKey('0123456789') })],
    ['in one header twice', () => ({ 'x-api-key': [key, newKey('0123456789')] })],
    ['in Authorization twice', () => ({ authorization: [`Bearer ${key}`, `Bearer ${newKey('0123456789')}`] })],
  ])('refuses two different credentials %s', async (_way, headers) => {
    const answer = await callTool(replica, headers());
    expect([answer.status, codeOf(answer)]).toEqual([400, 'conflicting_credentials']);
  });

  it('asks for a key where none was sent, and says so where a wrong one was', async () => {
    const none = await callTool(replica);
    expect([none.status, codeOf(none)]).toEqual([401, 'unauthorized']);
    expect(none.headers['www-authenticate']).toBe('Bearer realm="cloudhal"');
    const wrong = await callTool(replica, { authorization: 'Bearer nonsense' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers['www-authenticate']).toMatch(/^Bearer realm="cloudhal", error="invalid_token"/);
    expect(wrong.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'unauthorized' } } });
  });

  it('does not take the deployment token, nor a session cookie', async () => {
    const token = await callTool(replica, { authorization: `Bearer ${world.deploymentToken}` });
    expect([token.status, codeOf(token)]).toEqual([401, 'unauthorized']);
    const { cookie } = await world.person(replica, 'owner');
    const session = await callTool(replica, { cookie, origin: replica.url });
    expect([session.status, codeOf(session)]).toEqual([401, 'unauthorized']);
    expect((await browser(replica, '', cookie).send('/api/session')).status).toBe(200);
  });

  it('answers the same to unknown, mistyped, forged, revoked and expired keys', async () => {
    const [revoked, expired] = await Promise.all([
      replica.createAgentKey({ name: 'revoked', scopes: '*' }),
      replica.createAgentKey({ name: 'expired', scopes: '*' }),
    ]);
    await replica.revokeAgentKey(revoked.key.id);
    await world.owner.query('UPDATE gateway.agent_key SET expires_at = now() WHERE id = $1', [expired.key.id]);
    const typo = key.slice(0, 30) + (key[30] === 'a' ? 'b' : 'a') + key.slice(31);
    const refused = [newKey('0123456789'), typo, newKey(keyId), revoked.secret, expired.secret, 'chk_live_', 'x'];
    const answers = await Promise.all(refused.map((sent) => callTool(replica, { authorization: `Bearer ${sent}` })));
    const essence = ({ status, text, headers }: (typeof answers)[number]) => ({
      status,
      text: text.replaceAll(String(headers['x-request-id']), 'its own id'),
      challenge: headers['www-authenticate'],
    });
    expect(new Set(answers.map((answer) => JSON.stringify(essence(answer)))).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });

  it('puts refused keys into the record as one line for each, without their secret', async () => {
    const unknown = newKey('Recorded01');
    for (let i = 0; i < 5; i++) await callTool(replica, { authorization: `Bearer ${unknown}` });
    const late = await startWorldReplica();
    const [line] = (await world.events('auth.failed')).filter(({ actor }) => actor.id === 'Recorded01');
    expect(line?.details).toMatchObject({ credential: 'agent key', count: 5, network: '127.0.0.0/24' });
    expect(JSON.stringify(line)).not.toContain(unknown.slice(20));
    expect(late).toBeDefined();
  });

  it('fails closed while keys cannot be looked up', async () => {
    await world.owner.query('ALTER TABLE gateway.agent_key RENAME TO agent_key_away');
    try {
      const answer = await callTool(replica, { authorization: `Bearer ${newKey('Away000001')}` });
      expect(answer.status).toBe(500);
      expect(answer.text).not.toMatch(/agent_key|relation|SELECT|\bat \//);
    } finally {
      await world.owner.query('ALTER TABLE gateway.agent_key_away RENAME TO agent_key');
    }
  });

  /** The counts are written once a minute and when a replica stops. */
  async function startWorldReplica(): Promise<Replica> {
    await replica.stop();
    replica = await world.replica();
    await answerCalls(replica.bus, world.verifier);
    return replica;
  }
});
