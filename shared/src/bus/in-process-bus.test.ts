import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/test-database.ts';
import { BusError, event, stream } from './bus.ts';
import { describeBus } from './bus-contract.ts';
import { createInProcessBus } from './in-process-bus.ts';

const log = pino({ level: 'silent' });

describeBus('in one process', async () => {
  const bus = createInProcessBus({ log });
  return { connect: async () => bus, end: async () => undefined };
});

describe('the bus of one process', () => {
  it('refuses a record that no consumer would take, for it keeps none', async () => {
    const bus = createInProcessBus({ log });
    const records = stream('X', 'cloudhal.v1.x', Type.Object({}));
    await expect(bus.append(records, 'a', {})).rejects.toMatchObject({ reason: 'no_responders' });
    await bus.close();
  });

  it('tells the appender when the consumer failed for good', async () => {
    const bus = createInProcessBus({ log });
    const records = stream('X', 'cloudhal.v1.x', Type.Object({}));
    let attempts = 0;
    await bus.consume(records, 'd', async () => {
      attempts++;
      throw new Error('the store is away');
    });
    await expect(bus.append(records, 'a', {})).rejects.toThrow('the store is away');
    expect(attempts).toBe(3);
    await bus.close();
  });

  it('waits for the record to be handled before the append is done', async () => {
    const bus = createInProcessBus({ log });
    const records = stream('X', 'cloudhal.v1.x', Type.Object({}));
    let handled = false;
    const stop = await bus.consume(records, 'd', async () => {
      await sleep(50);
      handled = true;
    });
    await bus.append(records, 'a', {});
    expect(handled).toBe(true);
    await stop();
    await expect(bus.append(records, 'b', {})).rejects.toBeInstanceOf(BusError);
    await bus.close();
  });

  it('has the inboxes of the gateway, whose calls are the ones that travel on', () => {
    expect(createInProcessBus({ log }).inboxPrefix).toBe('_INBOX_gateway.');
  });
});

describe('buses of several processes on one store', () => {
  const changed = event('cloudhal.v1.event.changed', Type.Object({ text: Type.String() }));
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.drop());

  it("hear each other's events, each once, and drop what is too large to be told", async () => {
    const warnings: string[] = [];
    const noting = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    const one = createInProcessBus({ database: db.database, log: noting });
    const two = createInProcessBus({ database: db.database, log });
    const heard: string[] = [];
    await one.subscribe(changed, ({ text }) => heard.push(`one ${text.length}`));
    await two.subscribe(changed, ({ text }) => heard.push(`two ${text.length}`));
    one.publish(changed, { text: 'abc' });
    two.publish(changed, { text: 'abcd' });
    one.publish(changed, { text: 'x'.repeat(8_000) });
    one.publish(changed, { text: 'abcde' });
    for (let i = 0; i < 500 && heard.length < 7; i++) await sleep(10);
    await sleep(50);
    expect(heard.sort()).toEqual(['one 3', 'one 4', 'one 5', 'one 8000', 'two 3', 'two 4', 'two 5']);
    expect(warnings.join()).toContain('too large');
    await one.close();
    await two.close();
  });
});
