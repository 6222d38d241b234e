import type { Router } from 'express';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AppDeps } from '../app.ts';
import { jsonBody } from '../http/json-body.ts';
import { codeOf } from '../testing/mcp.ts';
import { clientId, clientSecret, startOidc } from '../testing/oidc.ts';
import { type Browser, type Replica, startWorld, type World } from '../testing/world.ts';

/** What the gateway serves below /api, as it was given to the app. */
const served = vi.hoisted(() => ({ api: {} as AppDeps['api'] }));
vi.mock('../app.ts', async (original) => {
  const app = await original<typeof import('../app.ts')>();
  return {
    ...app,
    createApp(deps: AppDeps) {
      served.api = deps.api;
      return app.createApp(deps);
    },
  };
});

type Change = { method: string; path: string; readsJson: boolean };
type Layer = { route?: { path: string; methods: Record<string, boolean>; stack: { handle: unknown }[] } };
type Headers = Record<string, string | string[]>;

let world: World;
let oidc: Awaited<ReturnType<typeof startOidc>>;
let replica: Replica;
let owner: Browser;
let keyId: string;
let changes: Change[];

beforeAll(async () => {
  [world, oidc] = await Promise.all([startWorld('postgres'), startOidc(['http://localhost/callback'])]);
  replica = await world.replica({ singleSignOn: { issuer: oidc.issuer, clientId, clientSecret, name: 'The House' } });
  owner = await world.person(replica, 'owner');
  keyId = (await owner.send('/api/agent-keys', { json: { name: 'robot', scopes: '*' } })).json.key.id;
  changes = Object.entries(served.api).flatMap(([prefix, routers]) =>
    [routers].flat().flatMap((router) => changesOf(`/api/${prefix}`, router)),
  );
});
afterAll(async () => {
  await world.stop();
  await oidc.stop();
});

/** Every way to change something, each with a name that there may be. */
function changesOf(prefix: string, router: Router): Change[] {
  return (router.stack as unknown as Layer[]).flatMap(({ route }) => {
    if (!route) return [];
    const path = prefix + route.path.replace(/\/$/, '').replace(/:\w+/g, keyId);
    const readsJson = route.stack.some(({ handle }) => handle === jsonBody);
    const methods = Object.keys(route.methods).map((method) => method.toUpperCase());
    return methods.filter((method) => method !== 'GET').map((method) => ({ method, path, readsJson }));
  });
}

/** All that such a request could have changed here, or asked of others. */
async function state(): Promise<object[]> {
  return world.owner.query(
    `SELECT (SELECT count(*) FROM gateway.outbox) AS events,
       (SELECT json_agg(k ORDER BY k::text) FROM gateway.agent_key k) AS keys,
       (SELECT count(*) FROM gateway.session) AS sessions, (SELECT count(*) FROM gateway.member) AS members,
       (SELECT count(*) FROM gateway.invitation) AS invitations`,
  );
}

const fromElsewhere: [what: string, headers: () => Headers][] = [
  ['a form of another site', () => ({ origin: 'https://evil.example', 'content-type': 'text/plain' })],
  ['a script of another site', () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })],
  ['a sandboxed frame', () => ({ origin: 'null' })],
  ['a sandboxed frame of our own', () => ({ origin: 'null', 'sec-fetch-site': 'same-origin' })],
  ['a sub-domain', () => ({ origin: replica.url.replace('//', '//evil.'), 'sec-fetch-site': 'same-site' })],
  ['another port', () => ({ origin: 'http://localhost:1' })],
  ['another site, without its name', () => ({ 'sec-fetch-site': 'cross-site' })],
  ['a neighbour, without its name', () => ({ 'sec-fetch-site': 'same-site' })],
  ['who knows where', () => ({})],
  ['another site under our name', () => ({ origin: replica.url, 'sec-fetch-site': 'cross-site' })],
  ['two sites at once', () => ({ origin: [replica.url, 'https://evil.example'] })],
  ['two relations at once', () => ({ 'sec-fetch-site': ['same-origin', 'cross-site'] })],
];

describe('with the cookie of an owner, nothing is changed by a request', () => {
  it.each(fromElsewhere)('from %s, whatever it is to', async (_what, headers) => {
    const before = await state();
    expect(changes.length).toBeGreaterThan(20);
    for (const { method, path } of changes) {
      const sent = { cookie: owner.cookie, 'content-type': 'application/json', ...headers() };
      const answer = await replica.send(path, { method, headers: sent, body: '{}' });
      expect([answer.status, codeOf(answer)], `${method} ${path}`).toEqual([403, 'origin_refused']);
    }
    expect(await state()).toEqual(before);
  });

  it('that only reads, whichever method it says that it means', async () => {
    const before = await state();
    for (const { method, path } of changes) {
      const meant = { 'x-http-method-override': method, 'x-http-method': method, 'x-method-override': method };
      const headers = { cookie: owner.cookie, 'sec-fetch-site': 'cross-site', ...meant };
      await replica.send(`${path}?_method=${method}`, { headers });
    }
    expect(await state()).toEqual(before);
  });

  it('of our own page that is no JSON', async () => {
    const before = await state();
    const reading = changes.filter(({ readsJson }) => readsJson);
    expect(reading.length).toBeGreaterThan(10);
    for (const { method, path } of reading) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const answer = await owner.send(path, { method, headers: { 'content-type': type }, body: '{}' });
        expect([answer.status, codeOf(answer)], `${method} ${path}`).toEqual([415, 'unsupported_media']);
      }
    }
    expect(await state()).toEqual(before);
  });
});

it('a request of our own page gets past all of that, to each of them', async () => {
  for (const { method, path } of changes) {
    const headers = { origin: replica.url, 'content-type': 'application/json' };
    const answer = await replica.send(path, { method, headers, body: '{}' });
    expect([403, 404, 405, 415], `${method} ${path}: ${answer.text}`).not.toContain(answer.status);
  }
});
