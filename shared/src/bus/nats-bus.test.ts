import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { propagation } from '@opentelemetry/api';
import { connect, headers } from 'nats';
import pino from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { republishAfterMs } from '../outbox.ts';
import { type Bus, request, stream } from './bus.ts';
import { describeBus } from './bus-contract.ts';
import { connectNatsBus } from './nats-bus.ts';

const servers = process.env.CLOUDHAL_TEST_NATS_URL ?? '';
const log = pino({ level: 'silent' });
const newPrefix = () => `test_${randomBytes(6).toString('hex')}`;

async function removeStreams(prefix: string): Promise<void> {
  const connection = await connect({ servers });
  const manager = await connection.jetstreamManager();
  for await (const name of manager.streams.names()) if (name.startsWith(prefix)) await manager.streams.delete(name);
  await connection.close();
}

describeBus('NATS', async () => {
  const subjectPrefix = newPrefix();
  return {
    connect: (service) => connectNatsBus({ servers, service, log, subjectPrefix }),
    end: () => removeStreams(subjectPrefix),
  };
});

const Text = Type.Object({ text: Type.String() });
const echo = request('cloudhal.v1.test.echo', Text, Text);
const records = stream('CLOUDHAL_TEST', 'cloudhal.v1.test.records', Type.Object({ n: Type.Integer() }));
const timeoutMs = 5_000;

describe('the bus on NATS', () => {
  const subjectPrefix = newPrefix();
  const subject = `${subjectPrefix}.${echo.subject}`;
  let raw: Awaited<ReturnType<typeof connect>>;
  let tools: Bus;
  let asked = 0;

  beforeAll(async () => {
    raw = await connect({ servers, inboxPrefix: '_INBOX_raw' });
    tools = await connectNatsBus({ servers, service: 'tools', log, subjectPrefix });
    await tools.answer(echo, async ({ text }) => {
      asked++;
      return { text };
    });
  });
  afterAll(async () => {
    await tools.close();
    await raw.close();
    await removeStreams(subjectPrefix);
  });

  it('answers into inboxes only: a reply subject cannot become a command (T23)', async () => {
    const deputy = `${subjectPrefix}.cloudhal.v1.tools.run`;
    const heard: string[] = [];
    raw.subscribe(deputy, { callback: (_, msg) => heard.push(msg.string()) });
    raw.subscribe('_INBOX_raw.x', { callback: (_, msg) => heard.push(msg.string()) });
    await raw.flush();
    const before = asked;
    const body = JSON.stringify({ text: 'x' });
    raw.publish(subject, body, { reply: deputy });
    const named = headers();
    named.set('answer-to', deputy);
    raw.publish(subject, body, { reply: '_INBOX_raw.x', headers: named });
    raw.publish(subject, body);
    raw.publish(subject, body, { reply: '_INBOX_raw.x' });
    for (let i = 0; i < 300 && heard.length === 0; i++) await sleep(10);
    await sleep(50);
    expect(heard).toEqual(['{"ok":{"text":"x"}}']);
    expect(asked).toBe(before + 1);
  });

  it('answers what is no JSON with a coded error and lives on', async () => {
    const reply = await raw.request(subject, '{"text":', { timeout: timeoutMs });
    expect(reply.json()).toMatchObject({ error: { code: 'malformed_json' } });
    const again = await raw.request(subject, '{"text":"y"}', { timeout: timeoutMs });
    expect(again.json()).toEqual({ ok: { text: 'y' } });
  });

  it('shows itself to the tools of the services framework', async () => {
    const client = raw.services.client({ maxWait: 500, strategy: 'stall' as never });
    const found = [];
    for await (const info of await client.info('test-echo')) found.push(info);
    const mine = found.find(({ endpoints }) => endpoints.some((endpoint) => endpoint.subject === subject));
    expect(mine?.endpoints[0]).toMatchObject({ subject, queue_group: 'tools' });
  });

  it('hands the trace on to whoever answers', async () => {
    const received: unknown[] = [];
    propagation.setGlobalPropagator({
      fields: () => ['traceparent'],
      inject: (_context, carrier, setter) => setter.set(carrier, 'traceparent', '00-abc-def-01'),
      extract(context, carrier, getter) {
        received.push(getter.get(carrier, 'traceparent'));
        return context;
      },
    });
    const gateway = await connectNatsBus({ servers, service: 'gateway', log, subjectPrefix });
    await gateway.request(echo, { text: 'traced' }, { timeoutMs });
    propagation.disable();
    expect(received).toEqual(['00-abc-def-01']);
    await gateway.close();
  });

  it('keeps a record that is no JSON from stopping the queue', async () => {
    const seen: unknown[] = [];
    await tools.consume(records, 'archive', async (batch) => {
      seen.push(...batch.map(({ record }) => record));
    });
    await raw.jetstream().publish(`${subjectPrefix}.${records.subject}`, '{"n":');
    await tools.append(records, 'good', { n: 1 });
    for (let i = 0; i < 500 && seen.length < 2; i++) await sleep(10);
    expect(seen).toEqual(['{"n":', { n: 1 }]);
  });

  it('stores what is appended before anybody consumes it', async () => {
    const early = stream('CLOUDHAL_EARLY', 'cloudhal.v1.test.early', Type.Object({ n: Type.Integer() }));
    await tools.append(early, 'a', { n: 1 });
    const seen: unknown[] = [];
    const stop = await tools.consume(early, 'archive', async (batch) => {
      seen.push(...batch);
    });
    for (let i = 0; i < 500 && seen.length < 1; i++) await sleep(10);
    expect(seen).toEqual([{ id: 'a', record: { n: 1 } }]);
    await stop();
  });

  it('has forgotten an id before an outbox publishes it anew', async () => {
    const again = stream('CLOUDHAL_AGAIN', 'cloudhal.v1.test.again', Type.Object({}));
    await tools.append(again, 'a', {});
    const manager = await raw.jetstreamManager();
    const { config } = await manager.streams.info(`${subjectPrefix}_CLOUDHAL_AGAIN`);
    expect(config.duplicate_window / 1e6).toBeLessThan(republishAfterMs);
  });

  it('refuses to work with a stream that is not what it needs', async () => {
    const wrong = stream('CLOUDHAL_WRONG', 'cloudhal.v1.test.wrong', Type.Object({}));
    const manager = await raw.jetstreamManager();
    await manager.streams.add({
      name: `${subjectPrefix}_CLOUDHAL_WRONG`,
      subjects: [`${subjectPrefix}.${wrong.subject}`],
      storage: 'memory' as never,
    });
    await expect(tools.consume(wrong, 'archive', async () => undefined)).rejects.toThrow(/retention|storage/);
  });

  it('makes a consumer again that was deleted under it', async () => {
    const name = `${subjectPrefix}_CLOUDHAL_GONE`;
    const gone = stream('CLOUDHAL_GONE', 'cloudhal.v1.test.gone', Type.Object({ n: Type.Integer() }));
    const seen: number[] = [];
    await tools.consume(gone, 'archive', async (batch) => {
      seen.push(...batch.map(({ record }) => record.n));
    });
    const manager = await raw.jetstreamManager();
    await manager.consumers.delete(name, 'archive');
    await tools.append(gone, 'a', { n: 1 });
    for (let i = 0; i < 1_000 && seen.length < 1; i++) await sleep(10);
    await manager.streams.delete(name);
    await tools.append(gone, 'b', { n: 2 });
    for (let i = 0; i < 1_000 && seen.length < 2; i++) await sleep(10);
    expect(seen).toEqual([1, 2]);
  });
});
