import { call, catalog } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { verifyPrincipal } from '@cloudhal/shared/permit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, whoAmI } from '../testing/mcp.ts';
import { type Browser, type Replica, startWorld, type World } from '../testing/world.ts';

let world: World;
let replica: Replica;
let editor: Browser;
const asked: Record<string, unknown>[] = [];

beforeAll(async () => {
  world = await startWorld('postgres');
  // What the agents of a person use up is not taken from the person.
  replica = await world.replica({ limits: { owner: { perMinute: 1, burst: 1 } } });
  editor = await world.person(replica, 'editor');
  await replica.bus.answer(catalog, async () => ({ digest: 'test', tools: [whoAmI] }));
  await replica.bus.answer(call, async ({ principal, callId: _, ...query }) => {
    const { id, role } = verifyPrincipal(principal, world.verifier);
    asked.push({ id, role, ...query });
    if (query.arguments.forbidden) throw fail('forbidden', { needs: 'an owner' });
    if (query.arguments.risky && !query.answer) {
      const question = {
        id: 'apr_1',
        summary: { title: 'Merge 2 terms', lines: [] },
        reason: 'it always needs a person',
      };
      const more = { expiresAt: '2030-01-01T00:00:00.000Z', requestState: 'sealed', personOnly: false };
      return { kind: 'approval_required' as const, approval: { ...question, ...more } };
    }
    return { kind: 'result' as const, result: { data: { done: true } } };
  });
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(() => world.stop());

const run = (json: unknown, tool = 'who_am_i') => editor.send(`/api/tools/${tool}`, { json });

describe('a tool in the hands of a person', () => {
  it('runs as that person, with what their role may do', async () => {
    const ran = await run({ arguments: { site: 'news' }, requestId: 'r1' });
    expect(ran.json).toMatchObject({ kind: 'result', result: { data: { done: true } } });
    const as = { id: `person:${editor.memberId}`, role: 'editor', recentSignIn: true, idempotencyKey: 'r1' };
    expect(asked).toEqual([expect.objectContaining({ ...as, tool: 'who_am_i', arguments: { site: 'news' } })]);
  });

  it('asks what always needs a person, and goes on with the answer', async () => {
    const first = await run({ arguments: { risky: true } });
    expect(first.json).toMatchObject({
      kind: 'question',
      question: { id: 'apr_1', state: 'sealed', needsAnother: false },
    });
    await run({ arguments: { risky: true }, answer: { state: 'sealed', confirm: true } });
    await run({ arguments: { risky: true }, answer: { state: 'sealed', confirm: false } });
    expect(asked.slice(1).map(({ answer }) => answer)).toEqual([
      { state: 'sealed', action: 'accept', confirm: true },
      { state: 'sealed', action: 'decline', confirm: false },
    ]);
  });

  it('says when the sign-in was a while ago', async () => {
    await world.owner.query(`UPDATE gateway."session" SET "authenticatedAt" = now() - interval '11 minutes'`);
    await run({ arguments: {} });
    expect(asked[0]).toMatchObject({ recentSignIn: false });
  });

  it('is refused like any call, and to who is not signed in or not on our own page', async () => {
    expect(codeOf(await run({ arguments: { forbidden: true } }))).toBe('forbidden');
    expect(codeOf(await run({ arguments: {}, principal: 'owner' }))).toBe('validation_failed');
    const headers = { origin: replica.url, 'content-type': 'application/json' };
    const stranger = await replica.send('/api/tools/who_am_i', { method: 'POST', headers, body: '{"arguments":{}}' });
    expect(stranger.status).toBe(401);
    const elsewhere = { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } };
    expect((await editor.send('/api/tools/who_am_i', { json: { arguments: {} }, ...elsewhere })).status).toBe(403);
    expect(asked.filter(({ arguments: args }) => !(args as { forbidden?: true }).forbidden)).toEqual([]);
  });
});
