import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, BusError, request, stream } from '@cloudhal/shared/bus/bus';
import { connectNatsBus } from '@cloudhal/shared/bus/nats-bus';
import { createLog } from '@cloudhal/shared/log';
import { startTcpProxy } from '@cloudhal/shared/testing/tcp-proxy';
import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { startNats } from '../nats.ts';
import type { TestServer } from '../server-process.ts';

const log = createLog('test', { level: 'silent' });
const Text = Type.Object({ text: Type.String() });
const echo = request('cloudhal.v1.test.echo', Text, Text);
const run = request('cloudhal.v1.test.run', Text, Text);
const records = stream('CLOUDHAL_TEST', 'cloudhal.v1.test.records', Type.Object({ n: Type.Integer() }));
const timeoutMs = 2_000;
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function nats(options: Parameters<typeof startNats>[0] = {}): Promise<TestServer> {
  const server = await startNats(options);
  ends.push(() => server.stop());
  return server;
}

async function connect(
  servers: string,
  service: string,
  login: { user?: string; password?: string } = {},
): Promise<Bus> {
  const bus = await connectNatsBus({ servers, service, log, ...login });
  ends.push(() => bus.close());
  return bus;
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => 'answered',
    (reason: unknown) => reason,
  );
  return error instanceof BusError ? error.reason : String((error as { code?: string }).code ?? error);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1_500; i++) {
    if (await condition()) return;
    await sleep(10);
  }
  throw new Error('it did not come to that');
}

describe('the bus when its server', () => {
  it('is killed: questions fail at once, and everything works again on its return (F-NA-1)', async () => {
    const server = await nats();
    const gateway = await connect(server.url, 'gateway');
    const tools = await connect(server.url, 'tools');
    await tools.answer(echo, async ({ text }) => ({ text }));
    const seen: number[] = [];
    await tools.consume(records, 'archive', async (batch) => {
      seen.push(...batch.map(({ record }) => record.n));
    });
    await gateway.append(records, 'before', { n: 1 });
    await server.kill('SIGKILL');
    await until(() => !gateway.connected());
    expect(await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs: 60_000 }))).toBe('disconnected');
    expect(await reasonOf(gateway.append(records, 'during', { n: 2 }))).toBe('disconnected');
    await nats({ folder: server.folder, port: server.port });
    await until(() => gateway.connected() && tools.connected());
    expect(await gateway.request(echo, { text: 'again' }, { timeoutMs })).toEqual({ text: 'again' });
    await gateway.append(records, 'after', { n: 3 });
    await until(() => seen.includes(3));
    expect(seen.filter((n) => n === 1)).toHaveLength(1);
    expect(seen).not.toContain(2);
  });

  it('loses its store: stream and consumer are made again, and records flow (F-NA-10)', async () => {
    const server = await nats();
    const gateway = await connect(server.url, 'gateway');
    const audit = await connect(server.url, 'audit');
    const seen: number[] = [];
    await audit.consume(records, 'archive', async (batch) => {
      seen.push(...batch.map(({ record }) => record.n));
    });
    await server.kill('SIGKILL');
    // A new folder: the server returns empty.
    const empty = await nats({ port: server.port });
    await until(() => gateway.connected());
    await until(async () => (await reasonOf(gateway.append(records, 'after', { n: 7 }))) === 'answered');
    await until(() => seen.includes(7));
    expect(empty.port).toBe(server.port);
  });

  it('hangs: questions end in their time, and what is asked after it wakes is answered (F-NA-2)', async () => {
    const server = await nats();
    const gateway = await connect(server.url, 'gateway');
    const tools = await connect(server.url, 'tools');
    await tools.answer(echo, async ({ text }) => ({ text }));
    await server.kill('SIGSTOP');
    expect(await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs: 300 }))).toBe('timeout');
    expect(await reasonOf(gateway.append(records, 'x', { n: 1 }))).toBe('timeout');
    await server.kill('SIGCONT');
    await until(async () => (await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs: 300 }))) === 'answered');
  });

  it('is cut off without a word: the connection is given up and made anew (F-NA-2)', async () => {
    const server = await nats();
    const proxy = await startTcpProxy(server.url);
    ends.push(() => proxy.close());
    const gateway = await connect(proxy.url, 'gateway');
    const tools = await connect(server.url, 'tools');
    await tools.answer(echo, async ({ text }) => ({ text }));
    proxy.mode = 'blackhole';
    await until(() => !gateway.connected());
    expect(await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs: 60_000 }))).toBe('disconnected');
    proxy.mode = 'pass';
    proxy.cut();
    await until(() => gateway.connected());
    expect(await gateway.request(echo, { text: 'back' }, { timeoutMs })).toEqual({ text: 'back' });
  });

  it('is slow: an asker that gave up is not answered into another question (F-NA-3)', async () => {
    const server = await nats();
    const proxy = await startTcpProxy(server.url);
    ends.push(() => proxy.close());
    const gateway = await connect(proxy.url, 'gateway');
    const tools = await connect(server.url, 'tools');
    await tools.answer(echo, async ({ text }) => ({ text }));
    proxy.delayMs = 200;
    expect(await reasonOf(gateway.request(echo, { text: 'slow' }, { timeoutMs: 100 }))).toBe('timeout');
    const answers = await Promise.all(['a', 'b'].map((text) => gateway.request(echo, { text }, { timeoutMs })));
    expect(answers).toEqual([{ text: 'a' }, { text: 'b' }]);
  });
});

const users = `
jetstream {}
authorization { users = [
  { user: gateway, password: g, permissions: {
      publish: ["cloudhal.v1.test.echo", "$JS.API.>"], subscribe: ["_INBOX_gateway.>"] } },
  { user: policy, password: p, permissions: {
      publish: ["cloudhal.v1.test.run", "_INBOX_gateway.>", "$SRV.>"],
      subscribe: ["cloudhal.v1.test.echo", "_INBOX_policy.>", "$SRV.>"] } },
  { user: tools, password: t, permissions: {
      publish: ["_INBOX_gateway.>", "$SRV.>"], subscribe: ["cloudhal.v1.test.run", "_INBOX_tools.>", "$SRV.>"] } }
] }`;

describe('the bus with users and permissions', () => {
  const asPolicy = { user: 'policy', password: 'p' };
  const asGateway = { user: 'gateway', password: 'g' };
  const asTools = { user: 'tools', password: 't' };

  it('carries a call along the chain with no more than each service needs (T22)', async () => {
    const { url } = await nats({ config: users });
    const gateway = await connect(url, 'gateway', asGateway);
    const policy = await connect(url, 'policy', asPolicy);
    await policy.answer(echo, async (query, { forward }) => forward(run, query, 'tool_unavailable'));
    expect(await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs }))).toBe('tool_unavailable');
    const tools = await connect(url, 'tools', asTools);
    await tools.answer(run, async ({ text }) => ({ text: `${text} ran` }));
    expect(await gateway.request(echo, { text: 'it' }, { timeoutMs })).toEqual({ text: 'it ran' });
    // The gateway itself may run nothing: the server drops what it may not say.
    expect(await reasonOf(gateway.request(run, { text: '' }, { timeoutMs: 500 }))).toBe('timeout');
  });

  it('says at once that a service may not serve what it tries to', async () => {
    const { url } = await nats({ config: users });
    const gateway = await connect(url, 'gateway', asGateway);
    await expect(gateway.answer(run, async ({ text }) => ({ text }))).rejects.toThrow(/permissions/i);
  });

  it('refuses a wrong password at the start', async () => {
    const { url } = await nats({ config: users });
    await expect(connect(url, 'tools', { user: 'tools', password: 'x' })).rejects.toThrow(/authorization/i);
  });
});
