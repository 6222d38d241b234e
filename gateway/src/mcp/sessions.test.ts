import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openedClients } from './testing/clients.ts';
import { type House, openHouse } from './testing/house.ts';
import { answer, callOf, post, type Raw, startSession } from './testing/raw.ts';
import { openRings, type Rings } from './testing/rings.ts';

let rings: Rings;
let house: House;
const streams: Raw[] = [];
const { open, closeAll } = openedClients();

beforeAll(async () => {
  rings = await openRings(2);
});
afterAll(async () => await rings.close());
beforeEach(async () => {
  house = await openHouse(rings.rings);
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await closeAll();
  await house.close();
});

/** Calls `publish` on a replica and reads up to the question that its event stream carries. */
async function ask(session: string, replica = 0): Promise<{ stream: Raw; id: string }> {
  house.next = replica;
  const stream = await post(house.url, callOf('publish'), { headers: { 'mcp-session-id': session } });
  streams.push(stream);
  for await (const { id, method } of { [Symbol.asyncIterator]: () => stay(stream) }) {
    if (method === 'elicitation/create') return { stream, id: String(id) };
  }
  return expect.fail('no question came');
}

/** The messages of a stream, without ending it when the loop does. */
function stay({ messages }: Raw) {
  return { next: () => messages.next() };
}

async function reply(id: string, { session = '', as = 'ann', replica = 1 } = {}) {
  house.next = replica;
  const result = { action: 'accept', content: { confirm: true } };
  return await answer(post(house.url, { jsonrpc: '2.0', id, result }, { as, headers: { 'mcp-session-id': session } }));
}

describe('a question to a client of the 2025 revisions', () => {
  it('rides the event stream of its call under an unguessable id, and is answered on any replica', async () => {
    for (const [askedOn, answeredOn] of [
      [0, 1],
      [1, 0],
      [0, 0],
    ] as const) {
      const session = await startSession(house.url);
      const { stream, id } = await ask(session, askedOn);
      expect(stream.headers.get('content-type')).toBe('text/event-stream');
      expect(stream.headers.get('x-accel-buffering')).toBe('no');
      expect(id).toMatch(new RegExp(`^replica-${askedOn}\\.[\\w-]{22}$`));
      expect(await reply(id, { session, replica: answeredOn })).toMatchObject({ status: 202 });
      const { value } = await stream.messages.next();
      expect(value).toMatchObject({ id: 7, result: { structuredContent: { data: { ran: 'publish' } } } });
    }
  });

  it('takes an answer from the same principal in the same session only', async () => {
    const session = await startSession(house.url);
    const { stream, id } = await ask(session);
    const foreign = await startSession(house.url, 'bob');
    const another = await startSession(house.url);
    expect(await reply(id, { session, as: 'bob' })).toMatchObject({ status: 404 });
    expect(await reply(id, { session: foreign, as: 'bob' })).toMatchObject({ status: 400 });
    expect(await reply(id, { session: another })).toMatchObject({ status: 400 });
    expect(await reply(id, {})).toMatchObject({ status: 400 });
    expect(house.rooms.calls).toHaveLength(1);
    expect(await reply(id, { session })).toMatchObject({ status: 202 });
    expect((await stream.messages.next()).value).toMatchObject({ result: { structuredContent: {} } });
  });

  it('takes one answer', async () => {
    const session = await startSession(house.url);
    const { id } = await ask(session);
    expect(await reply(id, { session })).toMatchObject({ status: 202 });
    expect(await reply(id, { session })).toMatchObject({ status: 400 });
  });

  it('stays open in Studio when the replica that asked is gone', async () => {
    const session = await startSession(house.url);
    const { id } = await ask(session, 0);
    await house.endpoints[0]!.close();
    expect(await reply(id, { session, replica: 1 })).toMatchObject({ status: 400 });
    expect(house.rooms.approvals).toMatchObject([{ state: 'pending' }]);
  });

  it('stays open in Studio when the client goes away, and nothing runs', async () => {
    const session = await startSession(house.url);
    const { stream, id } = await ask(session);
    stream.close();
    await expect.poll(() => house.gone).toBe(1);
    expect(await reply(id, { session })).toMatchObject({ status: 400 });
    expect(house.rooms.calls).toHaveLength(1);
    expect(house.rooms.approvals).toMatchObject([{ state: 'pending' }]);
  });

  it('is withdrawn when somebody answers in Studio first, and the call ends with the result', async () => {
    const session = await startSession(house.url);
    const { stream, id } = await ask(session);
    house.rooms.decide(house.rooms.approvals[0]!.id, 'approved');
    const messages = [(await stream.messages.next()).value, (await stream.messages.next()).value];
    expect(messages).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: id } },
      { id: 7, result: { structuredContent: { data: { ran: 'publish' } } } },
    ]);
  });

  it('that nobody answers in time ends with where the approval waits', async () => {
    await house.close();
    house = await openHouse(rings.rings, { waitForPersonMs: 50 });
    const never = new Promise<never>(() => {});
    const client = await open(house.url, 'first generation', { person: () => never });
    const { json } = await client.call('publish');
    expect(json).toMatchObject({ code: 'approval_required', next: expect.stringContaining('in Studio') });
    expect(house.rooms.approvals).toMatchObject([{ state: 'pending' }]);
  });

  it('comes with progress for a client that wants some', async () => {
    const session = await startSession(house.url);
    const call = callOf('publish');
    const params = { ...call.params, _meta: { progressToken: 'p' } };
    const stream = await post(house.url, { ...call, params }, { headers: { 'mcp-session-id': session } });
    streams.push(stream);
    const messages = [(await stream.messages.next()).value, (await stream.messages.next()).value];
    expect(messages).toContainEqual(
      expect.objectContaining({
        method: 'notifications/progress',
        params: expect.objectContaining({ progressToken: 'p', progress: 1 }),
      }),
    );
  });
});

describe('a session', () => {
  it('of another principal is not found', async () => {
    const session = await startSession(house.url, 'bob');
    const headers = { 'mcp-session-id': session };
    const refused = await answer(post(house.url, callOf('echo'), { headers }));
    expect(refused).toMatchObject({ status: 404, id: 7, error: { code: -32001 } });
    expect(house.rooms.calls).toEqual([]);
  });

  it.each([
    ['no session', undefined],
    ['the id of another server', '8d1f3c9e-6b0e-4a7e-9a40-0f6f0c6f2a11'],
    ['a session that was tampered with', 'tampered'],
  ])('is not needed: a client that sends %s is served, and gets a token instead of a question', async (_, id) => {
    const sealed = await startSession(house.url);
    const session = id === 'tampered' ? `${sealed.slice(0, -2)}AA` : id;
    const headers: Record<string, string> = session === undefined ? {} : { 'mcp-session-id': session };
    const served = await answer(post(house.url, callOf('publish'), { headers }));
    expect(served).toMatchObject({ status: 200, result: { isError: true } });
    expect(JSON.parse(served.result.content[0].text).details).toHaveProperty('confirmToken');
  });

  it('says that the client cannot be asked when it did not declare that', async () => {
    const session = await startSession(house.url, 'ann', { roots: {} });
    await answer(post(house.url, callOf('publish'), { headers: { 'mcp-session-id': session } }));
    expect(house.rooms.calls).toMatchObject([{ canElicit: false, client: { name: 'raw', version: '1' } }]);
  });

  it('has a short id however much a client says about itself', async () => {
    const much = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`experimental${i}`, {}]));
    const session = await startSession(house.url, 'ann', { elicitation: much, sampling: much, experimental: much });
    expect(session.length).toBeLessThan(1_000);
    const { id } = await ask(session);
    expect(id).toMatch(/^replica-0\./);
  });
});

it('a client that takes JSON alone cannot be asked in the middle of a call', async () => {
  const session = await startSession(house.url);
  const headers = { 'mcp-session-id': session, accept: 'application/json' };
  const answered = await answer(post(house.url, callOf('publish'), { headers }));
  expect(answered.headers.get('content-type')).toBe('application/json');
  expect(JSON.parse(answered.result.content[0].text).details).toHaveProperty('confirmToken');
});

it('an answer cannot name a subject of the bus', async () => {
  const session = await startSession(house.url);
  for (const id of ['*.AAAAAAAAAAAAAAAAAAAAAA', 'a.b.AAAAAAAAAAAAAAAAAAAAAA', '>', 'replica-0.short', 5]) {
    const sent = post(house.url, { jsonrpc: '2.0', id, result: {} }, { headers: { 'mcp-session-id': session } });
    expect(await answer(sent)).toMatchObject({ status: 400 });
  }
});

it('a client that cancels its call withdraws the question, and the approval stays pending', async () => {
  const session = await startSession(house.url);
  const { stream, id } = await ask(session, 0);
  house.next = 0;
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'enough' } };
  const headers = { 'mcp-session-id': session };
  expect(await answer(post(house.url, cancelled, { headers }))).toMatchObject({ status: 202 });
  const rest: unknown[] = [];
  for await (const message of stream.messages) rest.push(message);
  expect(rest).toMatchObject([{ method: 'notifications/cancelled', params: { requestId: id } }]);
  expect(await reply(id, { session, replica: 0 })).toMatchObject({ status: 400 });
  expect(house.rooms.calls).toHaveLength(1);
  expect(house.rooms.approvals).toMatchObject([{ state: 'pending' }]);
});

it('nobody cancels the call of another session', async () => {
  const session = await startSession(house.url);
  const { id } = await ask(session, 0);
  const another = await startSession(house.url);
  house.next = 0;
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  await answer(post(house.url, cancelled, { headers: { 'mcp-session-id': another } }));
  expect(await reply(id, { session, replica: 0 })).toMatchObject({ status: 202 });
});

it('an agent that lets twenty calls wait gets the next approval as an error, without a wait', async () => {
  const one = await openHouse(rings.rings.slice(0, 1));
  const session = await startSession(one.url);
  const headers = { 'mcp-session-id': session };
  const waiting = await Promise.all(
    Array.from({ length: 20 }, (_, version) => post(one.url, callOf('publish', { version }), { headers })),
  );
  for (const { messages } of waiting) expect((await messages.next()).value.method).toBe('elicitation/create');
  const { result } = await answer(post(one.url, callOf('publish', { version: 20 }), { headers }));
  expect(JSON.parse(result.content[0].text)).toMatchObject({ code: 'approval_required' });
  for (const stream of waiting) stream.close();
  await one.close();
});
