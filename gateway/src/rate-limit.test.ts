import { call, catalog } from '@cloudhal/shared/contracts';
import { connectRedisKeyValue } from '@cloudhal/shared/key-value/redis-key-value';
import { createLog } from '@cloudhal/shared/log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newKey } from './auth/key-format.ts';
import { answer, callOf, modern, post, startSession } from './mcp/testing/raw.ts';
import { defaultLimits, limitsFor } from './rate-limit.ts';
import { answerCalls, callTool, codeOf, whoAmI } from './testing/mcp.ts';
import { type Replica, type ReplicaOptions, startWorld, type World } from './testing/world.ts';

/** Buckets that nobody has taken from yet. */
let world: World;
const slow = (burst: number) => ({ perMinute: 1, burst });

beforeEach(async () => {
  world = await startWorld('postgres');
});
afterEach(() => world.stop());

async function replicas(count: number, settings: object, options: ReplicaOptions = {}): Promise<Replica[]> {
  const made: Replica[] = [];
  for (let i = 0; i < count; i++) {
    const replica = await world.replica({ replicas: count, ...settings }, options);
    await answerCalls(replica.bus, world.verifier, [whoAmI, { ...whoAmI, name: 'write', mutates: true }]);
    made.push(replica);
  }
  return made;
}

/** How many of `count` calls pass, sent in turn to each replica at the same time. */
async function passing(count: number, to: Replica[], key: string): Promise<number> {
  const calls = Array.from({ length: count }, (_, i) =>
    callTool(to[i % to.length]!, { authorization: `Bearer ${key}` }),
  );
  return (await Promise.all(calls)).filter(({ status }) => status === 200).length;
}

describe('the limits of a deployment', () => {
  it('are the usual ones at the usual rate', () => {
    const { key, owner, mutation, heavy } = defaultLimits;
    expect(limitsFor(key)).toEqual({ key, owner, mutation, heavy });
  });

  it('grow for changes and renderings as they do for calls', () => {
    expect(limitsFor({ perMinute: 600, burst: 200 })).toMatchObject({
      key: { perMinute: 600, burst: 200 },
      mutation: { perMinute: 200, burst: 200 },
      heavy: { perMinute: 60, burst: 60 },
    });
  });
});

describe('the rate limit of a key', () => {
  it('is one for all replicas, and says when to come back', async () => {
    const both = await replicas(2, { limits: { key: slow(6) } });
    const { secret } = await both[0]!.createAgentKey({ name: 'busy', scopes: '*' });
    expect(await passing(20, both, secret)).toBe(6);
    const refused = await callTool(both[1]!, { authorization: `Bearer ${secret}` });
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const data = { retryable: true, call_id: refused.headers['x-request-id'] };
    expect(refused.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { data } });
  });

  it('is also one for all keys of an owner, so that more keys are not more calls', async () => {
    const [replica] = await replicas(1, { limits: { owner: slow(5) } });
    const keys = await Promise.all(
      [1, 2, 3, 4].map((n) => replica!.createAgentKey({ name: `part ${n}`, scopes: '*' })),
    );
    const passed = await Promise.all(keys.map(({ secret }) => passing(4, [replica!], secret)));
    expect(passed.reduce((a, b) => a + b)).toBe(5);
  });

  it('takes nothing from the other keys of its owner once it is used up', async () => {
    const [replica] = await replicas(1, { limits: { key: slow(2), owner: slow(5) } });
    const [noisy, calm] = await Promise.all(
      ['noisy', 'calm'].map((name) => replica!.createAgentKey({ name, scopes: '*' })),
    );
    expect(await passing(20, [replica!], noisy!.secret)).toBe(2);
    expect(await passing(2, [replica!], calm!.secret)).toBe(2);
  });

  it('is tighter for calls that change something', async () => {
    const [replica] = await replicas(1, { limits: { owner: slow(100), mutation: slow(2) } });
    const { secret } = await replica!.createAgentKey({ name: 'writer', scopes: '*' });
    const headers = { authorization: `Bearer ${secret}` };
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push((await callTool(replica!, headers, 'write')).text);
    expect(answers.map((text) => text.includes('rate_limited'))).toEqual([false, false, true]);
    expect((await callTool(replica!, headers)).text).not.toContain('rate_limited');
  });
});

describe("a person's answer", () => {
  const publish = { ...whoAmI, name: 'publish', mutates: true };
  const requestState = 'the state of question 1';
  const result = { kind: 'result' as const, result: { data: 'published' } };
  let replica: Replica;
  let key: string;

  /** A call of `publish` waits for a person, and takes any answer. */
  async function house(limits: object): Promise<void> {
    replica = await world.replica({ limits });
    key = (await replica.createAgentKey({ name: 'asking', scopes: '*' })).secret;
    await replica.bus.answer(catalog, async () => ({ digest: 'test', tools: [whoAmI, publish] }));
    await replica.bus.answer(call, async (asked) => {
      if (asked.tool !== 'publish' || asked.answer) return result;
      const summary = { title: 'Publish', lines: [] };
      const approval = { id: 'apr_1', summary, reason: 'it is published', expiresAt: '2030-01-01', requestState };
      return { kind: 'approval_required' as const, approval: { ...approval, personOnly: false } };
    });
  }
  const mcp = () => `${replica.url}/mcp`;

  it('on a retry costs nothing more, once, and only to the question that was asked', async () => {
    await house({ key: slow(1), mutation: slow(1) });
    const approve = { action: 'accept', content: { confirm: true } };
    async function round(more: object = {}, name = 'publish', args = { pages: ['p1'] }) {
      const { body, headers } = modern('tools/call', { name, arguments: args, ...more }, { elicitation: {} });
      const { status, result, error } = await answer(post(mcp(), body, { as: key, headers }));
      return status === 200 && !result.isError ? (result.resultType ?? 'complete') : (error ?? result);
    }
    const yes = { requestState, inputResponses: { approve } };
    const refused = async (...sent: Parameters<typeof round>) =>
      expect(JSON.stringify(await round(...sent))).toContain('rate_limited');

    expect(await round()).toBe('input_required');
    await refused();
    await refused({ requestState });
    await refused({ ...yes, requestState: 'another' });
    await refused(yes, 'who_am_i');
    await refused(yes, 'publish', { pages: ['p2'] });
    expect(await round(yes)).toBe('complete');
    await refused(yes);
  });

  it('in the middle of a call of the 2025 revisions is let through, and nothing that only looks like one', async () => {
    await house({ key: slow(2) });
    const session = { as: key, headers: { 'mcp-session-id': await startSession(mcp(), key) } };
    const { messages } = await post(mcp(), callOf('publish'), session);
    const { value: question } = await messages.next();
    const say = (id: unknown) => {
      const said = { action: 'accept', content: { confirm: true } };
      return answer(post(mcp(), { jsonrpc: '2.0', id, result: said }, session));
    };
    expect(await say('nobody.asked')).toMatchObject({ status: 429, error: { data: { code: 'rate_limited' } } });
    expect((await say(question!.id)).status).toBe(202);
    expect((await messages.next()).value).toMatchObject({ result: { structuredContent: { data: 'published' } } });
    expect((await say(question!.id)).status).toBe(429);
  });
});

describe('refused credentials from one address', () => {
  it('are limited, and do not shut out a good key from there', async () => {
    const [replica] = await replicas(1, { limits: { failedAuth: slow(3), owner: slow(100) } });
    const { secret } = await replica!.createAgentKey({ name: 'good', scopes: '*' });
    const statuses = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await callTool(replica!, { authorization: `Bearer ${newKey('0123456789')}` })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await callTool(replica!, { authorization: `Bearer ${secret}` })).status).toBe(200);
  });
});

describe('while the KeyValue is away', () => {
  it('each replica holds its part of the limit by itself, and it is recorded once', async () => {
    const log = createLog('test', { destination: { write: () => undefined } });
    const keyValue = await connectRedisKeyValue({ url: 'redis://127.0.0.1:9', log });
    const both = await replicas(2, { limits: { key: slow(6), owner: slow(100) } }, { keyValue });
    const { secret } = await both[0]!.createAgentKey({ name: 'degraded', scopes: '*' });
    expect(await passing(20, both, secret)).toBe(6);
    const degraded = () => world.events('integrity.limiter_degraded').then((events) => events.length);
    await expect.poll(degraded, { timeout: 5_000 }).toBe(2);
    expect(world.logged()).toContain('limiter_degraded');
    await keyValue.close();
  });
});
