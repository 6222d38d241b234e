import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, run } from '@cloudhal/shared/contracts';
import { uuidv7 } from '@cloudhal/shared/ids';
import { argumentsHash, type Permit, signPermit, signPrincipal, verifyPastPermit } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import { generateSigner, loadSigner, loadVerifier } from '@cloudhal/shared/secrets';
import { connect, type NatsConnection, headers as natsHeaders } from 'nats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NatsUser, natsUsers } from '../../local/nats-permissions.ts';
import { readSecretFile } from '../../local/secret-files.ts';
import type { Agent, Newsroom } from '../newsroom.ts';
import { changingNothing } from './state.ts';

type Args = Record<string, unknown>;
type Heard = { error?: { code: string }; ok?: unknown };

/** Somebody on the bus itself, with the password of a service. */
export function forgedPermits(newsroom: () => Newsroom): void {
  const connections: NatsConnection[] = [];
  let agent: Agent;
  let args: Args;

  beforeAll(async () => {
    agent = await newsroom().hire();
    args = { site: newsroom().site.id, type: 'article', fields: { title: 'Forged' } };
  });
  afterAll(() => Promise.all(connections.map((connection) => connection.close())));

  async function as(user: NatsUser, password?: string): Promise<NatsConnection> {
    const { nats, secrets } = newsroom().deployment;
    const pass = password ?? readSecretFile(secrets, `nats-password-${user}`);
    const inboxPrefix = `_INBOX_${user}`;
    const connection = await connect({ servers: nats.url, user, pass, inboxPrefix, reconnect: false, timeout: 5_000 });
    connections.push(connection);
    return connection;
  }

  const secretOf = (name: string) => join(newsroom().deployment.secrets, name);
  const permitFor = (given: Args, more: Partial<Permit> = {}): Permit => ({
    callId: uuidv7(),
    tool: 'create_entry',
    argumentsHash: argumentsHash(given),
    principal: { id: `agent:${agent.keyId}`, kind: 'agent', name: 'forger', keyId: agent.keyId, keyGeneration: 1 },
    site: newsroom().site.id,
    sites: '*',
    scopes: '*',
    mode: 'bypass',
    rule: 'forged',
    policyVersion: '1',
    answerTo: '_INBOX_gateway.forged',
    ...more,
  });

  /** Sends a call to the workers as policy-service does, and hears what the gateway would hear; `undefined`: nothing. */
  async function runAs(
    policy: NatsConnection,
    permit: string,
    given: Args,
    { answerTo = '_INBOX_gateway.forged', pool = 'content' as keyof typeof run } = {},
  ): Promise<Heard | undefined> {
    const gateway = await as('gateway');
    const heard: Heard[] = [];
    gateway.subscribe(answerTo, { callback: (_, msg) => void heard.push(msg.json()) });
    await gateway.flush();
    const headers = natsHeaders();
    headers.set('answer-to', answerTo);
    headers.set('budget-ms', '5000');
    const payload = JSON.stringify({ permit, arguments: given });
    policy.publish(run[pool].subject, payload, { headers, reply: '_INBOX_policy.forged' });
    await policy.flush();
    for (let n = 0; n < 60 && heard.length === 0; n++) await sleep(50);
    return heard[0];
  }

  test.each(natsUsers)('%s with a wrong password is not let in', async (user) => {
    await expect(as(user, 'wrong-password')).rejects.toThrow(/Authorization/i);
    await expect(as(user, '')).rejects.toThrow(/Authorization/i);
  });

  test.each(natsUsers.filter((user) => user !== 'policy'))(
    '%s cannot send a call to the workers (T22)',
    async (user) => {
      const connection = await as(user);
      const permit = signPermit(permitFor(args), loadSigner(secretOf('permit-key.json')));
      const refused = refusalOf(connection);
      await changingNothing(newsroom().database, async () => {
        connection.publish(run.content.subject, JSON.stringify({ permit, arguments: args }), {
          reply: `_INBOX_${user}.x`,
        });
        await connection.flush();
        expect(await refused).toMatch(/permissions violation/i);
      });
    },
  );

  describe('the password of policy-service alone runs nothing', () => {
    const forgers: [string, () => string][] = [
      ['made up', () => 'e30.e30.e30'],
      ['empty', () => ''],
      ['signed with a key of nobody', () => signPermit(permitFor(args), generateSigner().signer)],
      [
        'signed with a key of nobody under the right id',
        () => {
          const { kid } = loadSigner(secretOf('permit-key.json'));
          return signPermit(permitFor(args), { ...generateSigner().signer, kid });
        },
      ],
      ["signed with the gateway's key", () => signPermit(permitFor(args), loadSigner(secretOf('principal-key.json')))],
      [
        'not signed at all',
        () => {
          const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
          const { kid } = loadSigner(secretOf('permit-key.json'));
          const claims = { claims: permitFor(args), aud: 'tool-service', exp: Math.floor(Date.now() / 1000) + 30 };
          return `${part({ alg: 'none', kid })}.${part(claims)}.`;
        },
      ],
    ];
    test.each(forgers)('with a permit that is %s', async (_, forge) => {
      const policy = await as('policy');
      await changingNothing(newsroom().database, async () => {
        expect((await runAs(policy, forge(), args))?.error?.code).toBe('permit_invalid');
      });
    });
  });

  describe('a real permit', () => {
    let token: string;
    let permit: Permit;
    let policy: NatsConnection;
    let real: Args;

    beforeAll(async () => {
      policy = await as('policy');
      real = { ...args, fields: { title: 'Permitted' }, slug: `permitted-${randomUUID()}` };
      const called = await agent.call('create_entry', real);
      expect(called.isError, called.text).toBe(false);
      // The record keeps the permit that a call ran with.
      const [row] = await newsroom().database.query<{ permit: string }>(
        `SELECT event->'details'->>'permit' AS permit FROM tools.outbox
         WHERE event->>'type' = 'attempted' AND event->>'tool' = 'create_entry' ORDER BY seq DESC LIMIT 1`,
      );
      token = row!.permit;
      permit = verifyPastPermit(token, loadVerifier(secretOf('permit-jwks.json')));
      expect(permit.argumentsHash).toBe(argumentsHash(real));
    });

    test('is not good for other arguments, another pool or another place to answer to', async () => {
      await changingNothing(newsroom().database, async () => {
        const { answerTo } = permit;
        const other = { ...real, fields: { title: 'Something else' } };
        expect((await runAs(policy, token, other, { answerTo }))?.error?.code).toBe('permit_invalid');
        expect((await runAs(policy, token, real, { answerTo, pool: 'media' }))?.error?.code).toBe('permit_invalid');
        expect((await runAs(policy, token, real))?.error?.code).toBe('permit_invalid');
      });
    });

    test('sent again runs nothing again (T24)', async () => {
      await changingNothing(newsroom().database, async () => {
        for (let n = 0; n < 2; n++) {
          const heard = await runAs(policy, token, real, { answerTo: permit.answerTo });
          expect(heard).toMatchObject({ ok: { kind: 'result', result: { data: { slug: real.slug } } } });
        }
      });
    });

    test('makes no command of its answer: one that is to go elsewhere goes nowhere (T23)', async () => {
      const headers = natsHeaders();
      headers.set('answer-to', run.content.subject);
      const heard: unknown[] = [];
      policy.subscribe('_INBOX_policy.forged', { callback: (_, msg) => void heard.push(msg.subject) });
      await changingNothing(newsroom().database, async () => {
        const payload = JSON.stringify({ permit: token, arguments: real });
        policy.publish(run.content.subject, payload, { headers, reply: '_INBOX_policy.forged' });
        await policy.flush();
        await sleep(300);
      });
      expect(heard).toEqual([]);
    });
  });

  describe('the password of the gateway alone', () => {
    const principal = (): Principal => ({
      id: 'person:owner',
      kind: 'person',
      name: 'Nobody',
      role: 'owner',
      mode: 'bypass',
      scopes: '*',
      sites: '*',
      remote: false,
      personAttested: 'off',
      confirmTokenFallback: false,
    });
    const forgers: [string, () => string][] = [
      ['made up', () => 'e30.e30.e30'],
      ['signed with a key of nobody', () => signPrincipal(principal(), generateSigner().signer)],
      ["signed with policy-service's key", () => signPrincipal(principal(), loadSigner(secretOf('permit-key.json')))],
      ['a permit', () => signPermit(permitFor(args), loadSigner(secretOf('permit-key.json')))],
    ];
    test.each(forgers)('asks for nothing with a principal that is %s', async (_, forge) => {
      const gateway = await as('gateway');
      const question = {
        callId: uuidv7(),
        principal: forge(),
        tool: 'create_entry',
        arguments: args,
        canElicit: false,
      };
      await changingNothing(newsroom().database, async () => {
        const msg = await gateway.request(call.subject, JSON.stringify(question), { timeout: 5_000 });
        expect(['permit_invalid', 'unauthorized']).toContain(msg.json<Heard>().error?.code);
      });
    });

    test('does not make policy-service answer into a command (T23)', async () => {
      const gateway = await as('gateway');
      const refused = refusalOf(gateway);
      await changingNothing(newsroom().database, async () => {
        const question = { callId: uuidv7(), principal: '', tool: 'list_sites', arguments: {}, canElicit: false };
        gateway.publish(call.subject, JSON.stringify(question), { reply: run.content.subject });
        await gateway.flush();
        await Promise.race([refused, sleep(300)]);
      });
    });
  });
}

/** What the server refused a connection to do. */
async function refusalOf(connection: NatsConnection): Promise<string> {
  for await (const { type, data } of connection.status()) {
    if (type === 'error') return String((data as { message?: string })?.message ?? data).replaceAll('_', ' ');
  }
  return '';
}
