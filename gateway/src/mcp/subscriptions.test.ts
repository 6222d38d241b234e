import { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { events } from '@cloudhal/shared/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { McpRequest } from './http.ts';
import { connect, type TestClient } from './testing/clients.ts';
import { agent, type House, openHouse } from './testing/house.ts';
import { answer, modern, post } from './testing/raw.ts';
import { openRings, type Rings } from './testing/rings.ts';

let rings: Rings;
let house: House;
let client: TestClient;

beforeAll(async () => {
  rings = await openRings(2);
});
afterAll(async () => await rings.close());
beforeEach(async () => {
  house = await openHouse(rings.rings);
  client = await connect(house.url, '2026-07-28');
});
afterEach(async () => {
  await client.close();
  await house.close();
});

function heard(): string[] {
  const methods: string[] = [];
  for (const method of [
    'notifications/tools/list_changed',
    'notifications/resources/list_changed',
    'notifications/resources/updated',
  ] as const) {
    client.sdk.setNotificationHandler(method, ({ params }) => {
      methods.push(params && 'uri' in params ? `${method} ${params.uri}` : method);
    });
  }
  return methods;
}

it('a client that listens hears what it asked for, from whatever replica', async () => {
  const methods = heard();
  const subscription = await client.sdk.listen({
    toolsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['skill://write-article/SKILL.md'],
  });
  house.bus.publish(events.toolsChanged, { digest: 'two' });
  house.bus.publish(events.skillsChanged, { digest: 'two' });
  house.bus.publish(events.resourceUpdated, { uri: 'skill://write-article/SKILL.md' });
  house.bus.publish(events.resourceUpdated, { uri: 'skill://another/SKILL.md' });
  await expect
    .poll(() => methods)
    .toEqual([
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
      'notifications/resources/updated skill://write-article/SKILL.md',
    ]);
  await subscription.close();
});

it('nobody listens to a resource that is none of theirs to read', async () => {
  const filter = { resourceSubscriptions: ['site://s1/pages/p1', 'skill://write-article/SKILL.md'] };
  const subscription = await client.sdk.listen(filter);
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: ['skill://write-article/SKILL.md'] });
  await subscription.close();
});

it('the stream of a key that changed or was revoked is cut, and no other', async () => {
  const other = await connect(house.url, '2026-07-28', { as: 'bob' });
  const subscription = await client.sdk.listen({ toolsListChanged: true });
  const stays = await other.sdk.listen({ toolsListChanged: true });
  house.bus.publish(events.keysChanged, { keyId: 'ann' });
  expect(await subscription.closed).toBe('remote');
  let told = 0;
  other.sdk.setNotificationHandler('notifications/tools/list_changed', () => {
    told++;
  });
  house.bus.publish(events.toolsChanged, { digest: 'two' });
  await expect.poll(() => told).toBe(1);
  await stays.close();
  await other.close();
});

it('one agent may keep ten streams open on each replica, and gets another once it closed one', async () => {
  const { body, headers } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const one = await openHouse(rings.rings.slice(0, 1));
  const open = () => post(one.url, body, { headers });
  const streams = await Promise.all(Array.from({ length: 10 }, open));
  const refused = await answer(open());
  expect(refused).toMatchObject({ status: 429, error: { data: { code: 'rate_limited' } } });
  streams[0]?.close();
  await expect
    .poll(async () => {
      const stream = await open();
      streams.push(stream);
      return stream.status;
    })
    .toBe(200);
  for (const stream of streams) stream.close();
  await one.close();
});

it('a client that left before its stream began holds no place', async () => {
  const { body, headers } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const one = await openHouse(rings.rings.slice(0, 1));
  const extra = { principal: agent('ann'), principalToken: () => 'agent:ann' };
  for (let i = 0; i < 10; i++) {
    const sent = { method: 'POST', url: '/mcp', headers: { ...headers, 'content-type': 'application/json' } };
    const auth = { token: 'ann', clientId: 'ann', scopes: [], extra };
    const req = Object.assign(Readable.from([Buffer.from(JSON.stringify(body))]), sent, {
      auth,
    }) as unknown as McpRequest;
    const res = new ServerResponse(req);
    res.destroy();
    await one.endpoints[0]!.handler(req, res);
  }
  const stream = await post(one.url, body, { headers });
  expect(stream.status).toBe(200);
  stream.close();
  await one.close();
});

it('a stopping endpoint ends its streams in order', async () => {
  const subscription = await client.sdk.listen({ toolsListChanged: true });
  await Promise.all(house.endpoints.map((endpoint) => endpoint.close()));
  expect(await subscription.closed).toBe('graceful');
});
