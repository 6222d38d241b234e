import { createServer, type RequestListener, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { CloudhalError } from '@cloudhal/shared/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch, type FetchOptions } from './guarded-fetch.ts';
import { isPublicAddress } from './public-address.ts';

let server: Server;
let place: string;
let seen: string[];
let listener: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.host}${request.url}`);
    listener(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  place = `127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
  listener = (_, response) => response.setHeader('Content-Type', 'Image/PNG; x=y').end('picture');
});

const guarded = createGuardedFetch();
/** Reaches the test's own server, as if it were on the internet. */
const open = (resolve?: (host: string) => Promise<string[]>) =>
  createGuardedFetch({ allow: [place], ...(resolve && { resolve }) });

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'nothing',
    (thrown) => thrown,
  );
  if (!(error instanceof CloudhalError)) throw error;
  return `${error.code}: ${error.body.details?.reason ?? error.body.details?.what ?? error.body.details?.found}`;
}

const of = (maxBytes = 1000, more: Partial<FetchOptions> = {}): FetchOptions => ({ maxBytes, ...more });

describe('an address that is not of the public internet', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0x7f.0.0.0x1/',
    'http://１２７.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://127.0.0.1%2e/',
    'http://0/',
    'http://0.0.0.0/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://100.100.100.200/latest/meta-data',
    'http://169.254.169.254/latest/meta-data',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://168.63.129.16/machine',
    'http://192.0.0.192/opc',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::169.254.169.254]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:53aa:64c:0:fb00:f5ff:fefe]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/latest/meta-data',
    'http://[ff02::1]/',
  ])('is not fetched from as %s', async (url) => {
    expect(await codeOf(guarded(url, of()))).toBe('fetch_blocked: the host is not on the public internet');
  });

  it.each([
    ['file:///etc/passwd', 'only http and https are fetched'],
    ['ftp://example.com/', 'only http and https are fetched'],
    ['gopher://example.com/', 'only http and https are fetched'],
    ['data:image/png;base64,AAAA', 'only http and https are fetched'],
    ['//example.com/x', 'it is no URL'],
    ['', 'it is no URL'],
    ['http://exa mple.com/', 'it is no URL'],
    ['http://user:secret@example.com/', 'it carries a user name or a password'],
    ['http://127.0.0.1@example.com/', 'it carries a user name or a password'],
    ['http://93.184.215.14:22/', 'only ports 80 and 443 are fetched from'],
    ['http://93.184.215.14:6379/', 'only ports 80 and 443 are fetched from'],
  ])('nor is %s', async (url, reason) => {
    expect(await codeOf(guarded(url, of()))).toBe(`fetch_blocked: ${reason}`);
  });

  it('nor is one that could carry a text out of here', async () => {
    const query = `http://example.com/?d=${'x'.repeat(1100)}`;
    expect(await codeOf(guarded(query, of()))).toBe('fetch_blocked: its query is longer than 1024 characters');
    const path = `http://example.com/${'x'.repeat(2100)}`;
    expect(await codeOf(guarded(path, of()))).toBe('fetch_blocked: it is longer than 2048 characters');
  });

  it('is found behind a name, also where only one of several addresses is', async () => {
    const names: Record<string, string[]> = {
      'inside.example': ['127.0.0.1'],
      'mixed.example': ['93.184.215.14', 'fd00::1'],
      'scoped.example': ['fe80::1%eth0'],
      'odd.example': ['not an address'],
    };
    const fetch = createGuardedFetch({ resolve: async (host) => names[host] ?? [] });
    for (const host of Object.keys(names))
      expect(await codeOf(fetch(`http://${host}/`, of()))).toMatch(/^fetch_blocked/);
    expect(await codeOf(fetch('http://nobody.example/', of()))).toBe('fetch_failed: the host has no address');
    expect(seen).toEqual([]);
  });

  it('is not reached by a name that resolves to something else the second time', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const fetch = open(async () => answers[asked++] ?? []);
    const port = place.split(':')[1];
    // The first answer is the one that is connected to; it is not asked for again.
    expect((await fetch(`http://flips.example:${port}/a`, of())).body.toString()).toBe('picture');
    expect(asked).toBe(1);
    expect(await codeOf(fetch(`http://flips.example:${port}/b`, of()))).toMatch(/^fetch_blocked/);
    expect(seen).toEqual([`GET flips.example:${port}/a`]);
  });

  it.each([301, 302, 303, 307, 308])('is not reached by a redirect with %i', async (status) => {
    listener = (_, response) => response.writeHead(status, { location: 'http://169.254.169.254/secret' }).end();
    expect(await codeOf(open()(`http://${place}/`, of()))).toBe(
      'fetch_blocked: the host is not on the public internet',
    );
  });

  it('is judged by its number, not by its spelling', () => {
    for (const address of ['8.8.8.8', '93.184.215.14', '2606:4700::1111', '2a00:1450:4001::1'])
      expect(isPublicAddress(address), address).toBe(true);
  });
});

describe('what is fetched', () => {
  it('comes with its status, its type and the redirects that led to it', async () => {
    listener = (request, response) => {
      if (request.url === '/old') return response.writeHead(302, { location: '/new#part' }).end();
      response.setHeader('Content-Type', 'Image/PNG; x=y').end('picture');
    };
    const { body, ...found } = await open()(`http://${place}/old`, of(1000, { types: ['image/'] }));
    expect(body.toString()).toBe('picture');
    expect(found).toEqual({
      status: 200,
      url: `http://${place}/new`,
      redirects: [{ status: 302, to: `http://${place}/new` }],
      contentType: 'image/png',
    });
  });

  it('is an answer of any status, and a redirect itself where none is to be followed', async () => {
    listener = (_, response) => response.writeHead(404).end('not here');
    const missing = await open()(`http://${place}/`, of());
    expect([missing.status, missing.body.length]).toEqual([404, 0]);
    listener = (_, response) => response.writeHead(301, { location: '/on' }).end();
    expect((await open()(`http://${place}/`, of(0, { redirects: 0 }))).status).toBe(301);
    expect(await codeOf(open()(`http://${place}/`, of()))).toBe('fetch_blocked: it redirects too often');
    expect(seen).toHaveLength(6);
  });

  it('is asked for by HEAD without a body, with nothing of ours along', async () => {
    let headers: object = {};
    listener = (request, response) => {
      headers = request.headers;
      response.end();
    };
    await open()(`http://${place}/`, of(0, { method: 'HEAD' }));
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    expect(seen[0]).toMatch(/^HEAD/);
  });

  it('ends at the limit, whether the answer says how long it is or not', async () => {
    listener = (_, response) => response.writeHead(200, { 'content-length': 5_000_000 }).end(Buffer.alloc(5_000_000));
    expect(await codeOf(open()(`http://${place}/`, of()))).toBe('limit_exceeded: What is at this address');
    listener = (_, response) => {
      const more = () => response.write(Buffer.alloc(64 * 1024), more);
      more();
    };
    expect(await codeOf(open()(`http://${place}/`, of(200_000)))).toBe('limit_exceeded: What is at this address');
  });

  it('ends when its time is over, however slowly it comes', async () => {
    listener = (_, response) => void response.write('a');
    expect(await codeOf(open()(`http://${place}/`, of(1000, { timeoutMs: 150 })))).toBe(
      'fetch_failed: it took too long',
    );
    listener = () => undefined;
    expect(await codeOf(open()(`http://${place}/`, of(1000, { timeoutMs: 150 })))).toBe(
      'fetch_failed: it took too long',
    );
  });

  it('is never unpacked, and of another type never read', async () => {
    listener = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)));
    expect(await codeOf(open()(`http://${place}/`, of()))).toBe('fetch_failed: the answer is compressed');
    listener = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
    const types = ['image/', 'application/pdf'];
    expect(await codeOf(open()(`http://${place}/`, of(1000, { types })))).toBe('unsupported_media: text/html');
  });

  it('fails in our words where nobody answers', async () => {
    listener = (_, response) => response.destroy();
    expect(await codeOf(open()(`http://${place}/`, of()))).toBe('fetch_failed: the connection failed or broke');
    expect(await codeOf(open()(`https://${place}/`, of()))).toMatch(/^fetch_failed/);
  });
});
