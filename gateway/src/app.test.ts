import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerCalls, callTool, codeOf } from './testing/mcp.ts';
import { type Replica, startWorld, type World } from './testing/world.ts';

let world: World;
let replica: Replica;
/** Where whoever comes is signed in. */
let open: Replica;
let key: string;
let port: string;

beforeAll(async () => {
  world = await startWorld();
  replica = await world.replica({ allowedOrigins: ['https://admin.example.com'] });
  open = await world.replica({ noAuth: true });
  await answerCalls(replica.bus, world.verifier);
  key = (await replica.createAgentKey({ name: 'robot', scopes: '*' })).secret;
  port = new URL(replica.url).port;
});
afterAll(() => world.stop());

const withKey = () => ({ authorization: `Bearer ${key}` });

describe('a request from a browser', () => {
  it('passes from our own origins, and without an Origin', async () => {
    for (const origin of [replica.url, `http://127.0.0.1:${port}`, 'https://admin.example.com']) {
      const answer = await callTool(replica, { ...withKey(), origin });
      expect(answer.status, origin).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect((await callTool(replica, withKey())).status).toBe(200);
  });

  it.each([
    ['null', () => 'null'],
    ['foreign', () => 'https://evil.example'],
    ['another scheme', () => replica.url.replace('http:', 'https:')],
    ['another port', () => `http://localhost:${Number(port) + 1}`],
    ['another port of an allowed one', () => 'https://admin.example.com:8443'],
  ])('is refused with an Origin that is %s, before its key is looked at', async (_what, origin) => {
    const headers = { ...withKey(), origin: origin() };
    const answer = await callTool(replica, headers);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'origin_refused']);
    const preflight = await replica.send('/mcp', {
      method: 'OPTIONS',
      headers: { origin: origin(), 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(403);
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await replica.send('/studio', { headers: { origin: origin() } })).status).toBe(403);
  });

  it.each(['evil.example', 'localhost', 'localhost:1', 'localhost.evil.example'])(
    'is refused under the name %j',
    async (host) => {
      expect(codeOf(await callTool(replica, { ...withKey(), host }))).toBe('origin_refused');
    },
  );
});

describe('/mcp', () => {
  it.each(['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('answers 405 to %s', async (method) => {
    const answer = await replica.send('/mcp', { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST');
    expect(answer.headers['www-authenticate']).toBeUndefined();
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    if (method !== 'HEAD') expect(codeOf(answer)).toBe('method_not_allowed');
  });

  it('answers a body of 5 MB with 413, as JSON', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(5_000_000) } });
    const headers = { ...withKey(), 'content-type': 'application/json' };
    const answer = await replica.send('/mcp', { method: 'POST', headers, body });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large']);
  });

  it('refuses JSON that is broken, too deep or ambiguous, and goes on', async () => {
    const bodies = ['{', '['.repeat(5_000) + ']'.repeat(5_000), '{"id":1,"id":2}', '{"__proto__":{"scopes":["*"]}}'];
    for (const body of bodies) {
      const headers = { ...withKey(), 'content-type': 'application/json' };
      const answer = await replica.send('/mcp', { method: 'POST', headers, body });
      expect(answer.status, body.slice(0, 30)).toBe(400);
      expect(answer.json.jsonrpc).toBe('2.0');
    }
    expect((await callTool(replica, withKey())).status).toBe(200);
  });
});

describe('discovery', () => {
  it.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/.well-known/anything?x=1',
    '/mcp/.well-known/openid-configuration',
  ])('%s is a JSON 404, whatever the caller accepts', async (path) => {
    for (const accept of ['*/*', 'text/html', 'application/json']) {
      const answer = await replica.send(path, { headers: { accept } });
      expect(answer.status).toBe(404);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(codeOf(answer)).toBe('not_found');
      expect(answer.headers['www-authenticate']).toBeUndefined();
    }
  });
});

describe('every answer', () => {
  it('carries security headers and an id, and no hint of what runs here', async () => {
    for (const path of ['/studio', '/api/session', '/mcp', '/nowhere', '/healthz']) {
      const { headers } = await replica.send(path);
      expect(headers['content-security-policy'], path).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });

  it('asks browsers to stay on https where that is how it is reached', async () => {
    const secure = await world.replica({ publicUrl: 'https://studio.example.com' });
    expect((await secure.send('/studio')).headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await replica.send('/studio')).headers['strict-transport-security']).toBeUndefined();
  });

  it('of the API is kept by no cache', async () => {
    expect((await open.send('/api/session')).headers['cache-control']).toBe('no-store');
  });

  it('is a page for people and JSON for programs where nothing is served', async () => {
    const page = await replica.send('/nowhere', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    for (const path of ['/nowhere', '/api/nowhere', '/mcp/nowhere', '/api/auth/sign-up/email']) {
      const answer = await replica.send(path);
      expect([answer.status, codeOf(answer)], path).toEqual([404, 'not_found']);
    }
  });

  it('tells nothing of our inside, even where a path is broken or hostile', async () => {
    for (const path of ['/%', '/sites/%E0%A4%A', '/sites/x/..%2f..%2fetc/passwd', '/sites/<script>/', '/studio/%00']) {
      const answer = await replica.send(path, { headers: { accept: 'text/html' } });
      expect(answer.status, path).toBeLessThan(500);
      expect(answer.text).not.toMatch(/\bat \/|node_modules|<script>/);
    }
  });

  it('is a 413 for an API body that is too large once it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    const json = { 'content-type': 'application/json', origin: open.url };
    const headers = { ...json, 'content-encoding': 'gzip' };
    const answer = await open.send('/api/agent-keys', { method: 'POST', headers, body: bomb });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large']);
    const unknown = { ...json, 'content-encoding': 'zstd' };
    const refused = await open.send('/api/agent-keys', { method: 'POST', headers: unknown, body: '{}' });
    expect([refused.status, codeOf(refused)]).toEqual([415, 'unsupported_media']);
  });
});

describe('a body of the API', () => {
  it.each([
    ['broken', '{', 'malformed_json'],
    ['too deep', '['.repeat(5_000) + ']'.repeat(5_000), 'json_too_deep'],
    ['ambiguous', '{"name":"a","name":"b","scopes":"*"}', 'malformed_json'],
    ['polluting', '{"__proto__":{"scopes":"*"},"name":"a"}', 'malformed_json'],
    ['not an object', '[]', 'validation_failed'],
    ['empty', '', 'malformed_json'],
  ])('that is %s is refused', async (_what, body, code) => {
    const headers = { 'content-type': 'application/json', origin: open.url };
    const answer = await open.send('/api/agent-keys', { method: 'POST', headers, body });
    expect([answer.status, codeOf(answer)]).toEqual([400, code]);
  });
});

describe('internal headers', () => {
  it('are taken away at the edge', async () => {
    const headers = { 'x-internal-client-address': '203.0.113.9', 'X-Internal-Role': 'owner', origin: replica.url };
    const owner = await world.person(replica, 'owner');
    const { email } = (await owner.send('/api/session')).json.person;
    const signedIn = await replica.send('/api/auth/sign-in/email', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse battery' }),
    });
    expect(signedIn.status, signedIn.text).toBe(200);
    const sessions = await world.owner.query('SELECT "ipAddress" FROM gateway."session"');
    expect(sessions.map(({ ipAddress }) => ipAddress)).not.toContain('203.0.113.9');
    expect(sessions.map(({ ipAddress }) => ipAddress)).toContain('127.0.0.1');
  });
});

describe('health', () => {
  it('is told to who calls by address', async () => {
    const headers = { host: '10.0.0.7:3000' };
    expect((await replica.send('/healthz', { headers })).json).toEqual({ status: 'ok' });
    const ready = await replica.send('/readyz', { headers });
    expect(ready.json).toEqual({
      status: 'ready',
      checks: { serving: true, bus: true, database: true, clock: true, catalogue: true },
    });
  });

  it('is not ready while no catalogue can be had', async () => {
    const alone = await world.replica();
    const answer = await alone.send('/readyz');
    expect(answer.status).toBe(503);
    expect(answer.json.checks).toMatchObject({ database: true, catalogue: false });
  });

  it('shows metrics on this machine only, unless somebody has the deployment token', async () => {
    const metrics = await replica.send('/metrics');
    expect([metrics.status, metrics.text]).toEqual([200, expect.stringContaining('cloudhal_gateway_requests_total')]);
    const forwarded = { 'x-forwarded-for': '203.0.113.9' };
    expect((await replica.send('/metrics', { headers: forwarded })).status).toBe(401);
    const admitted = { ...forwarded, authorization: `Bearer ${world.deploymentToken}` };
    expect((await replica.send('/metrics', { headers: admitted })).status).toBe(200);
  });
});

describe('a port that is taken', () => {
  it('is no obstacle while nobody was told of it, and one where a public URL names it', async () => {
    const taken = replica.port!;
    const another = await world.replica({ listen: { port: taken } });
    expect(another.port).not.toBe(taken);
    expect((await another.send('/healthz')).status).toBe(200);
    await expect(world.replica({ listen: { port: taken }, publicUrl: replica.url })).rejects.toThrow('EADDRINUSE');
  });
});

describe('a stop', () => {
  it('lets a call in flight end, and takes no new ones', async () => {
    const going = await world.replica();
    let arrived = () => {};
    const inside = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { sitePage } = await import('@cloudhal/shared/contracts');
    await going.bus.answer(sitePage, async () => {
      arrived();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { status: 200, html: 'late', contentType: 'text/html' };
    });
    const late = going.send('/sites/site/');
    await inside;
    const stopped = going.stop();
    expect((await late).text).toBe('late');
    await stopped;
    await expect(going.send('/healthz')).rejects.toThrow();
  });
});
