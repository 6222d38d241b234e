import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type House, openHouse } from './testing/house.ts';
import { answer, callOf, modern, post } from './testing/raw.ts';
import { openRings, type Rings } from './testing/rings.ts';

let rings: Rings;
let house: House;

beforeAll(async () => {
  rings = await openRings(1);
  house = await openHouse(rings.rings);
});
afterAll(async () => {
  await house.close();
  await rings.close();
});

it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])(
  '%s is not served, and there is nothing to sign in to',
  async (method) => {
    const response = await fetch(house.url, { method, headers: { accept: 'text/event-stream' } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(await response.json()).toMatchObject({ error: { data: { code: 'method_not_allowed' } } });
  },
);

describe('a body that is not fit to be read', () => {
  it.each([
    ['is no JSON', '{"jsonrpc":', -32700, 'malformed_json'],
    ['is empty', '', -32700, 'malformed_json'],
    ['is nested 5,000 deep', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, -32600, 'json_too_deep'],
    ['is nested a million deep', '['.repeat(400_000), -32600, 'json_too_deep'],
    ['says a key twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}', -32700, 'malformed_json'],
    ['confirms twice', '{"params":{"confirm":false,"confirm":true}}', -32700, 'malformed_json'],
    ['has a __proto__', '{"params":{"__proto__":{"scopes":["*"]}}}', -32700, 'malformed_json'],
    ['has a lone surrogate', '{"params":{"text":"\\ud800"}}', -32600, 'invalid_unicode'],
    ['has a number that is not exact', '{"params":{"n":9007199254740993}}', -32600, 'validation_failed'],
    ['is a batch', JSON.stringify([callOf('echo'), callOf('echo')]), -32600, 'validation_failed'],
  ])('because it %s is answered with 400 and our code', async (_, body, code, ours) => {
    const refused = await answer(post(house.url, body));
    expect(refused).toMatchObject({ status: 400, error: { code, data: { code: ours, next: expect.any(String) } } });
  });

  it.each(['{"hello":"there"}', '{"jsonrpc":"2.0","id":null,"method":"ping"}', '"ping"', 'null', '[]'])(
    'because %s is no message is an invalid request',
    async (body) => {
      expect(await answer(post(house.url, body))).toMatchObject({ status: 400, error: { code: -32600 } });
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'because it came as %s is 415',
    async (type) => {
      const refused = await answer(post(house.url, callOf('echo'), { headers: { 'content-type': type } }));
      expect(refused).toMatchObject({ status: 415, error: { data: { code: 'unsupported_media' } } });
    },
  );
});

describe('a body over the limit', () => {
  const padded = (bytes: number) => JSON.stringify(callOf('echo', { text: 'x'.repeat(bytes) }));

  it('is 413, and a smaller one is served', async () => {
    const refused = await answer(post(house.url, padded(600_000)));
    expect(refused).toMatchObject({ status: 413, error: { data: { code: 'payload_too_large' } } });
    expect(await answer(post(house.url, padded(500_000)))).toMatchObject({ status: 200, result: {} });
  });

  it('is 413 also when it was never announced', async () => {
    const stream = new Blob([padded(5_000_000)]).stream();
    const init = { method: 'POST', body: stream, duplex: 'half', headers: { 'content-type': 'application/json' } };
    const response = await fetch(house.url, init as RequestInit);
    expect(response.status).toBe(413);
  });

  it('is 413 also to a client that reads the answer only once it has sent everything', async () => {
    const { hostname, port } = new URL(house.url);
    const socket = connect(Number(port), hostname);
    const head = ['POST /mcp HTTP/1.1', `host: ${hostname}:${port}`, 'authorization: Bearer ann', 'connection: close'];
    socket.write([...head, 'content-type: application/json', 'content-length: 5000000', '', ''].join('\r\n'));
    const piece = Buffer.alloc(500_000, 'x');
    for (let n = 0; n < 10; n++) {
      await new Promise<void>((sent, failed) => socket.write(piece, (error) => (error ? failed(error) : sent())));
      await sleep(20);
    }
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('is counted after it is inflated (T12)', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(110_000);
    const refused = await answer(post(house.url, bomb, { headers: { 'content-encoding': 'gzip' } }));
    expect(refused).toMatchObject({ status: 413, error: { data: { code: 'payload_too_large' } } });
  });
});

it('a compressed body is read, one that is broken or of an unknown kind refused', async () => {
  const packed = gzipSync(JSON.stringify(callOf('echo', { text: 'packed' })));
  const sent = (body: Uint8Array, encoding: string) =>
    answer(post(house.url, body, { headers: { 'content-encoding': encoding } }));
  expect((await sent(packed, 'gzip')).result.structuredContent).toMatchObject({ data: { text: 'packed' } });
  expect(await sent(packed.subarray(0, 20), 'gzip')).toMatchObject({ status: 400, error: { code: -32700 } });
  expect(await sent(packed, 'br')).toMatchObject({ status: 400, error: { code: -32700 } });
  expect(await sent(packed, 'zstd')).toMatchObject({ status: 415 });
});

describe.each([
  ['both', 'application/json, text/event-stream', 'application/json'],
  ['anything', '*/*', 'application/json'],
  ['JSON alone', 'application/json', 'application/json'],
  ['an event stream alone', 'text/event-stream', 'text/event-stream'],
  ['something else', 'text/html', 'application/json'],
])('a client that accepts %s', (_, accept, type) => {
  it('is served in both eras', async () => {
    const { body, headers } = modern('tools/call', { name: 'echo', arguments: {} });
    const answers = [
      await answer(post(house.url, callOf('echo'), { headers: { accept } })),
      await answer(post(house.url, body, { headers: { ...headers, accept } })),
    ];
    for (const answered of answers) {
      expect(answered.headers.get('content-type')).toBe(type);
      expect(answered).toMatchObject({ status: 200, id: 7, result: { structuredContent: { data: {} } } });
      if (type === 'text/event-stream') expect(answered.headers.get('x-accel-buffering')).toBe('no');
    }
  });
});

describe('headers of the 2026-07-28 revision (T19)', () => {
  const { body, headers } = modern('tools/call', { name: 'echo', arguments: {} });

  it.each([
    ['name another tool', { 'mcp-name': 'publish' }],
    ['name another method', { 'mcp-method': 'tools/list' }],
    ['name another revision', { 'mcp-protocol-version': '2025-11-25' }],
    ['have a name in broken base64', { 'mcp-name': '=?base64?%%%?=' }],
    ['name the tool twice', { 'mcp-name': 'echo, publish' }],
  ])('that %s do not agree with the body', async (_, wrong) => {
    const before = house.rooms.calls.length;
    const refused = await answer(post(house.url, body, { headers: { ...headers, ...wrong } }));
    expect(refused).toMatchObject({ status: 400, error: { code: -32020 } });
    expect(house.rooms.calls.length).toBe(before);
  });

  it.each(['mcp-name', 'mcp-method', 'mcp-protocol-version'])('may not leave out %s', async (name) => {
    const { [name]: _, ...rest } = headers;
    expect(await answer(post(house.url, body, { headers: rest }))).toMatchObject({
      status: 400,
      error: { code: -32020 },
    });
  });

  it('may name the tool in base64', async () => {
    const name = `=?base64?${Buffer.from('echo').toString('base64')}?=`;
    const served = await answer(post(house.url, body, { headers: { ...headers, 'mcp-name': name } }));
    expect(served.result.structuredContent).toMatchObject({ data: { principal: 'agent:ann' } });
  });
});

it('a revision that nobody serves is refused with those that are', async () => {
  const legacy = await answer(post(house.url, callOf('echo'), { headers: { 'mcp-protocol-version': '2020-01-01' } }));
  expect(legacy).toMatchObject({ status: 400 });
  const { body, headers } = modern('tools/list');
  body.params._meta['io.modelcontextprotocol/protocolVersion'] = '2030-01-01';
  const later = await answer(post(house.url, body, { headers: { ...headers, 'mcp-protocol-version': '2030-01-01' } }));
  expect(later).toMatchObject({ status: 400, error: { code: -32022 } });
});

it('a notification is taken, a method that nobody serves is not', async () => {
  expect(await answer(post(house.url, { jsonrpc: '2.0', method: 'notifications/initialized' }))).toMatchObject({
    status: 202,
  });
  const unknown = await answer(post(house.url, { jsonrpc: '2.0', id: 1, method: 'no/such' }));
  expect(unknown).toMatchObject({ id: 1, error: { code: -32601 } });
});

it('what goes wrong inside is told by its code alone', async () => {
  const { result } = await answer(post(house.url, callOf('echo', { toString: 1 })));
  expect(result.isError).toBeUndefined();
  const listing = await answer(
    post(house.url, { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'skill://no/SKILL.md' } }),
  );
  expect(JSON.stringify(listing.error)).not.toMatch(/node_modules|\.ts|at /);
});
