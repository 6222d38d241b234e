import { PassThrough } from 'node:stream';
import type { Stop } from '@cloudhal/shared/bus/bus';
import { events } from '@cloudhal/shared/contracts';
import { Client } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Era, eras, type Person, type Question, wrap } from './testing/clients.ts';
import { agent, type House, openHouse } from './testing/house.ts';
import { openRings, type Rings } from './testing/rings.ts';

let rings: Rings;
let house: House;
const stops: Stop[] = [];

beforeAll(async () => {
  rings = await openRings(1);
});
afterAll(async () => await rings.close());
beforeEach(async () => {
  house = await openHouse(rings.rings);
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await house.close();
});

/** A process's standard streams, and what goes over them. */
async function serve(more: { toolsets?: ['release']; onClose?: () => void } = {}) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const lines: string[] = [];
  const toClient = new PassThrough();
  stdout.on('data', (chunk: Buffer) => {
    lines.push(...chunk.toString().split('\n').filter(Boolean));
    toClient.write(chunk);
  });
  const principal = agent('local', { id: 'local', kind: 'local' });
  const stop = await house.endpoints[0]!.serveStdio({
    principal,
    principalToken: () => principal.id,
    stdin,
    stdout,
    ...more,
  });
  stops.push(stop);
  return { stdin, lines, toClient, stop };
}

async function connect(era: Era, person?: Person, more: Parameters<typeof serve>[0] = {}) {
  const { stdin, toClient, lines, stop } = await serve(more);
  const capabilities = person ? { elicitation: { form: {} } } : {};
  const info = { name: 'test client', version: '1.2.3' };
  // The SDK's server side of stdio, the other way round: what it reads is what our server writes.
  const transport = new StdioServerTransport(toClient, stdin);
  if (era === 'first generation') {
    const client = new FirstClient(info, { capabilities });
    if (person) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => await person(params as Question));
    await client.connect(transport as never);
    return { client: wrap(client as never, era), lines, stop };
  }
  const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const);
  const client = new Client(info, { capabilities, versionNegotiation: { mode } });
  if (person) client.setRequestHandler('elicitation/create', async ({ params }) => await person(params as Question));
  await client.connect(transport);
  return { client: wrap(client, era), lines, stop };
}

describe.each(eras)('a client of %s over stdio', (era) => {
  it('lists and calls tools, and hears of errors', async () => {
    const { client, lines } = await connect(era);
    expect(await client.list()).toContain('echo');
    expect((await client.call('echo', { text: 'hi' })).structured).toEqual({
      data: { principal: 'local', text: 'hi' },
    });
    expect((await client.call('fail')).json).toMatchObject({ code: 'rev_conflict' });
    expect(house.rooms.calls[0]).toMatchObject({ client: { name: 'test client' } });
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it('asks its person, and only a confirmed yes runs the call', async () => {
    const asked: string[] = [];
    const { client } = await connect(era, ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { confirm: asked.length > 1 } };
    });
    expect((await client.call('publish')).json).toMatchObject({ code: 'approval_rejected' });
    expect((await client.call('publish')).structured).toEqual({ data: { ran: 'publish' } });
    expect(asked[0]).toContain('+ "Spring news"');
  });

  it('sees the toolsets that the command line named', async () => {
    const { client } = await connect(era, undefined, { toolsets: ['release'] });
    expect(await client.list()).toEqual(['publish']);
  });

  it('is told when the tools changed', async () => {
    const { client } = await connect(era);
    let told = 0;
    const method = 'notifications/tools/list_changed';
    if (era === 'first generation') {
      (client.sdk as unknown as FirstClient).fallbackNotificationHandler = async () => {
        told++;
      };
    } else {
      client.sdk.setNotificationHandler(method, () => {
        told++;
      });
    }
    if (era === '2026-07-28') await client.sdk.listen({ toolsListChanged: true });
    house.bus.publish(events.toolsChanged, { digest: 'two' });
    await expect.poll(() => told).toBe(1);
  });
});

describe('what comes over stdin', () => {
  it('is answered with our code where it is not fit to be read, and the connection goes on', async () => {
    const { stdin, lines } = await serve();
    const bad = [
      '{"a":',
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      '{"a":1,"a":2}',
      `{"a":"${'x'.repeat(600_000)}"}`,
    ];
    for (const line of bad) stdin.write(`${line}\n`);
    stdin.write('\n{"jsonrpc":"2.0","id":1,"method":');
    stdin.write('"ping"}\n');
    await expect.poll(() => lines.length).toBe(5);
    const codes = lines.slice(0, 4).map((line) => JSON.parse(line).error.data.code);
    expect(codes).toEqual(['malformed_json', 'json_too_deep', 'malformed_json', 'payload_too_large']);
    expect(JSON.parse(lines[4] ?? '')).toMatchObject({ id: 1, result: {} });
  });

  it('ends the connection when it ends', async () => {
    let closed = 0;
    const { stdin } = await serve({ onClose: () => closed++ });
    stdin.end();
    await expect.poll(() => closed).toBe(1);
  });
});

it('a stopped connection says nothing more', async () => {
  const { client, lines, stop } = await connect('2025-11-25');
  await stop();
  const before = lines.length;
  house.bus.publish(events.toolsChanged, { digest: 'two' });
  await expect(client.call('echo', {}, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
  expect(lines.length).toBe(before);
});
