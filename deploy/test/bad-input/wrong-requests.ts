import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { callOf, modern } from '@cloudhal/gateway/mcp/testing/raw';
import { codeOf } from '@cloudhal/gateway/testing/mcp';
import { type Received, send } from '@cloudhal/gateway/testing/send';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Agent, Newsroom } from '../newsroom.ts';
import { changingNothing } from './state.ts';

type Headers = Record<string, string>;
type Wrong = [what: string, body: string | Buffer, headers: Headers, status: number, code: string];

const create = (title: string) => JSON.stringify(callOf('create_entry', { type: 'article', fields: { title } }));
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const inArguments = (text: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_entry","arguments":{"type":"article","fields":{"title":"A"},${text}}}}`;

const wrong: Wrong[] = [
  ['is nested 10,000 deep', inArguments(`"body":${deep(10_000)}`), {}, 400, 'json_too_deep'],
  ['is nested 100,000 deep', deep(100_000), {}, 400, 'json_too_deep'],
  ['says an argument twice', inArguments('"slug":"a","slug":"b"'), {}, 400, 'malformed_json'],
  [
    'says twice which tool',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_sites","name":"publish"}}',
    {},
    400,
    'malformed_json',
  ],
  ['sets a prototype', inArguments('"__proto__":{"scopes":["*"]}'), {}, 400, 'malformed_json'],
  ['has a number that is not exact', inArguments('"note":9007199254740993'), {}, 400, 'validation_failed'],
  ['has a lone surrogate', inArguments('"note":"\\ud800"'), {}, 400, 'invalid_unicode'],
  ['is 5 MB', create('x'.repeat(5_000_000)), {}, 413, 'payload_too_large'],
  [
    'is 100 MB once it is unpacked',
    gzipSync(Buffer.alloc(100_000_000)),
    { 'content-encoding': 'gzip' },
    413,
    'payload_too_large',
  ],
  ['is no JSON', '{"jsonrpc":', {}, 400, 'malformed_json'],
  ['is a batch', `[${create('A')},${create('B')}]`, {}, 400, 'validation_failed'],
  ['is a form', create('A'), { 'content-type': 'text/plain' }, 415, 'unsupported_media'],
  ['comes from a foreign page', create('A'), { origin: 'https://evil.example' }, 403, 'origin_refused'],
  ['comes from a page without an origin', create('A'), { origin: 'null' }, 403, 'origin_refused'],
  ['comes by a rebound name', create('A'), { host: 'evil.example' }, 403, 'origin_refused'],
  ['has two credentials that differ', create('A'), { 'x-api-key': 'chk_live_other' }, 400, 'conflicting_credentials'],
  ['has no key', create('A'), { authorization: '' }, 401, 'unauthorized'],
];

/** Requests as no well-behaved client sends them. */
export function wrongRequests(newsroom: () => Newsroom): void {
  let agent: Agent;
  beforeAll(async () => {
    agent = await newsroom().hire({ key: { sites: [newsroom().site.id] } });
  });

  function post(body: string | Buffer, headers: Headers = {}, url = newsroom().deployment.url): Promise<Received> {
    const { authorization = `Bearer ${agent.secret}`, ...rest } = headers;
    return send(`${url}/mcp`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(authorization !== '' && { authorization }),
        ...rest,
      },
    });
  }

  describe('a request is refused with a code, and changes nothing, because it', () => {
    test.each(wrong)('%s', async (_, body, headers, status, code) => {
      await changingNothing(newsroom().database, async () => {
        // Straight to a gateway: what stands before it may not forward all of this.
        const refused = await post(body, headers, newsroom().deployment.gatewayUrls[0]!);
        expect([refused.status, codeOf(refused)], refused.text.slice(0, 500)).toEqual([status, code]);
      });
      expect((await post(create(`After a request that ${_}`))).json).toMatchObject({
        result: { structuredContent: {} },
      });
    });

    test('names another tool in its headers than in its body (T19)', async () => {
      const { body, headers } = modern('tools/call', {
        name: 'create_entry',
        arguments: { type: 'article', fields: { title: 'A' } },
      });
      await changingNothing(newsroom().database, async () => {
        const refused = await post(JSON.stringify(body), { ...headers, 'mcp-name': 'list_entries' });
        expect([refused.status, refused.json.error.code]).toEqual([400, -32020]);
      });
    });
  });

  test('a key that was revoked a second ago opens neither gateway', async () => {
    const { hire, owner, deployment, database } = newsroom();
    const [one, two] = deployment.gatewayUrls as [string, string];
    const revoked = await hire();
    const as = { authorization: `Bearer ${revoked.secret}` };
    const list = JSON.stringify(callOf('list_sites'));
    for (const url of [one, two]) expect((await post(list, as, url)).status).toBe(200);
    expect((await owner.send(`/api/agent-keys/${revoked.keyId}`, { method: 'DELETE' })).status).toBe(200);
    await sleep(1_000);
    await changingNothing(database, async () => {
      for (const url of [one, two]) {
        const refused = await post(create('By a revoked key'), as, url);
        expect([refused.status, codeOf(refused)]).toEqual([401, 'unauthorized']);
      }
    });
  });
}
