import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'nats';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEvent } from './audit-event.ts';
import { type Bus, BusError, type Stop } from './bus/bus.ts';
import { createInProcessBus } from './bus/in-process-bus.ts';
import { connectNatsBus } from './bus/nats-bus.ts';
import { auditStream, events } from './contracts.ts';
import type { Database } from './database.ts';
import { auditEvent, outboxBacklog, putInOutbox, startOutboxRelay } from './outbox.ts';
import { type TestDatabase, testDatabase } from './testing/test-database.ts';

const log = pino({ level: 'silent' });
const servers = process.env.CLOUDHAL_TEST_NATS_URL ?? '';
const timing = { pollMs: 20, republishAfterMs: 60_000 };
let db: TestDatabase;
let database: Database;
const stops: Stop[] = [];

beforeAll(async () => {
  db = await testDatabase();
  database = db.database;
  await database.query(`
    CREATE TABLE policy.outbox (event_id uuid PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, event jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, archived_at timestamptz);
    CREATE INDEX outbox_unarchived ON policy.outbox (seq) WHERE archived_at IS NULL;
    CREATE TABLE policy.archive (event_id uuid PRIMARY KEY, event jsonb NOT NULL, received int NOT NULL DEFAULT 1)`);
});
beforeEach(() => database.query('TRUNCATE policy.outbox, policy.archive'));
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(() => db.drop());

const event = (n: number): AuditEvent =>
  auditEvent('policy-service', { type: 'decision', site: 'st_1', actor: { type: 'agent', id: 'a' }, details: { n } });

async function put(from: number, to: number): Promise<void> {
  const batch = Array.from({ length: to - from }, (_, i) => event(from + i));
  await database.transaction((tx) => putInOutbox(tx, 'policy', ...batch));
}

/** What audit-service does: keeps each event once, counts how often it came, and confirms. */
async function archiveWith(bus: Bus): Promise<void> {
  const stop = await bus.consume(auditStream, 'archive', async (batch) => {
    const rows = batch.flatMap(({ record }) => record);
    await database.query(
      `INSERT INTO policy.archive (event_id, event)
       SELECT (e->>'event_id')::uuid, e FROM jsonb_array_elements($1::jsonb) AS e
       ON CONFLICT (event_id) DO UPDATE SET received = policy.archive.received + 1`,
      [JSON.stringify(rows)],
    );
    bus.publish(events.auditArchived, { eventIds: rows.map(({ event_id }) => event_id) });
  });
  stops.push(stop);
}

async function relayOn(bus: Bus, options: { republishAfterMs?: number } = {}): Promise<void> {
  stops.push(await startOutboxRelay({ database, schema: 'policy', bus, log, ...timing, ...options }));
}

async function untilArchived(count: number): Promise<void> {
  for (let i = 0; i < 1_500; i++) {
    const [row] = await database.query(
      `SELECT (SELECT count(*) FROM policy.archive) AS archive,
              (SELECT count(*) FROM policy.outbox WHERE archived_at IS NOT NULL) AS confirmed`,
    );
    if (row?.archive === count && row.confirmed === count) return;
    await sleep(10);
  }
  throw new Error(`Not archived: ${JSON.stringify(await outboxBacklog(database, 'policy'))}`);
}

function newProcessBus(): Bus {
  const bus = createInProcessBus({ log });
  stops.push(() => bus.close());
  return bus;
}

async function newNatsBus(subjectPrefix: string, service = 'policy'): Promise<Bus> {
  const bus = await connectNatsBus({ servers, service, log, subjectPrefix });
  stops.push(() => bus.close());
  return bus;
}

describe('an event', () => {
  it('gets its id, its time and its service', () => {
    expect(event(1)).toMatchObject({ v: 1, tenant: 'default', service: 'policy-service', type: 'decision' });
    expect(event(1).event_id).not.toBe(event(1).event_id);
    const { ts } = event(1);
    expect(new Date(ts).toISOString()).toBe(ts);
  });
});

describe('the outbox', () => {
  it('holds an event only if the transaction that it is about was committed', async () => {
    const undone = database.transaction(async (tx) => {
      await putInOutbox(tx, 'policy', event(1));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await outboxBacklog(database, 'policy')).toEqual({ rows: 0, oldestMs: 0 });
    await put(0, 3);
    await sleep(20);
    const backlog = await outboxBacklog(database, 'policy');
    expect(backlog.rows).toBe(3);
    expect(backlog.oldestMs).toBeGreaterThan(0);
  });

  it('takes the line about whoever calls themselves something that no store takes', async () => {
    const actor = { type: 'agent', id: 'a', name: 'half \ud83d, none \0, whole 😀, \\ud83d' };
    const line = auditEvent('policy-service', { type: 'decision', site: 'st_1', actor, details: { '\ude00': [1] } });
    await putInOutbox(database, 'policy', line);
    const [row] = await database.query<{ event: AuditEvent }>('SELECT event FROM policy.outbox');
    expect(row?.event).toMatchObject({
      actor: { name: 'half \ufffd, none \ufffd, whole 😀, \\ud83d' },
      details: { '\ufffd': [1] },
    });
  });

  it('is archived in the order in which it was written, and then confirmed', async () => {
    const bus = newProcessBus();
    await archiveWith(bus);
    await put(0, 500);
    await relayOn(bus);
    await put(500, 600);
    await untilArchived(600);
    expect(await outboxBacklog(database, 'policy')).toEqual({ rows: 0, oldestMs: 0 });
    const [row] = await database.query('SELECT max(received) AS most FROM policy.archive');
    expect(row?.most).toBe(1);
  });

  it('is confirmed of what was archived until the relay stopped', async () => {
    const bus = newProcessBus();
    await archiveWith(bus);
    await put(0, 3);
    // Its next round would be in a minute.
    const stop = await startOutboxRelay({ database, schema: 'policy', bus, log, pollMs: 60_000 });
    await new Promise<void>((heard) => void bus.subscribe(events.auditArchived, () => heard()));
    await stop();
    await untilArchived(3);
  });

  it('waits while nobody archives, and is archived later', async () => {
    const bus = newProcessBus();
    await relayOn(bus);
    await put(0, 5);
    await sleep(150);
    expect((await outboxBacklog(database, 'policy')).rows).toBe(5);
    await archiveWith(bus);
    await untilArchived(5);
  });

  it('is archived once by two relays at work on it together', async () => {
    const prefix = `test_${randomBytes(6).toString('hex')}`;
    const [one, two] = [await newNatsBus(prefix), await newNatsBus(prefix)];
    await archiveWith(await newNatsBus(prefix, 'audit'));
    await put(0, 300);
    await relayOn(one);
    await relayOn(two);
    for (let i = 300; i < 1_000; i += 100) await put(i, i + 100);
    await untilArchived(1_000);
    const [row] = await database.query('SELECT max(received) AS most FROM policy.archive');
    expect(row?.most).toBe(1);
    await removeStreams(prefix);
  });

  it('is published again, with the same id, after a crash between publishing and marking', async () => {
    await put(0, 3);
    const appended: string[] = [];
    const crashing = { ...newProcessBus(), connected: () => true, subscribe: async () => async () => undefined } as Bus;
    // The process dies after the first record was handed over: nothing that follows in it happens.
    crashing.append = async (_stream, id) => {
      appended.push(id);
      await new Promise(() => undefined);
    };
    void startOutboxRelay({ database, schema: 'policy', bus: crashing, log, ...timing });
    while (appended.length < 3) await sleep(10);
    const bus = newProcessBus();
    await archiveWith(bus);
    await relayOn(bus, { republishAfterMs: 200 });
    await untilArchived(3);
    const ids = await database.query<{ event_id: string }>('SELECT event_id FROM policy.archive');
    expect(ids.map(({ event_id }) => event_id).sort()).toEqual(appended.sort());
  });

  it('tries those again that the bus refused, without waiting for the reconciler', async () => {
    const bus = newProcessBus();
    await archiveWith(bus);
    const append = bus.append.bind(bus);
    let refusals = 0;
    bus.append = async (stream, id, record) => {
      if (refusals++ < 2) throw new BusError('timeout', stream.subject);
      await append(stream, id, record);
    };
    await put(0, 5);
    await relayOn(bus);
    await untilArchived(5);
  });

  it('keeps what is too large for the bus, and says so, and sends the others', async () => {
    const prefix = `test_${randomBytes(6).toString('hex')}`;
    const bus = await newNatsBus(prefix);
    await archiveWith(await newNatsBus(prefix, 'audit'));
    const large = { ...event(0), note: 'x'.repeat(2_000_000) };
    await putInOutbox(database, 'policy', large, event(1), event(2));
    const logged: string[] = [];
    const noting = pino({ level: 'error' }, { write: (line) => void logged.push(line) });
    stops.push(await startOutboxRelay({ database, schema: 'policy', bus, log: noting, ...timing }));
    for (let i = 0; i < 1_500 && (await outboxBacklog(database, 'policy')).rows > 1; i++) await sleep(10);
    const rows = await database.query<{ event_id: string }>(
      'SELECT event_id FROM policy.outbox WHERE archived_at IS NULL',
    );
    expect(rows).toEqual([{ event_id: large.event_id }]);
    expect(logged.filter((line) => line.includes(large.event_id))).toHaveLength(1);
    await removeStreams(prefix);
  });

  it('publishes again what was confirmed by nobody, and the archive keeps it once', async () => {
    const bus = newProcessBus();
    const publish = bus.publish.bind(bus);
    let lost = 0;
    bus.publish = (message, payload) => {
      if (lost++ > 0) publish(message, payload);
    };
    await archiveWith(bus);
    await put(0, 4);
    // The bus of one process knows the ids of the last minutes, and would not hand them over twice.
    const append = bus.append.bind(bus);
    let n = 0;
    bus.append = (stream, _id, record) => append(stream, `delivery ${n++}`, record);
    await relayOn(bus, { republishAfterMs: 200 });
    await untilArchived(4);
    const [row] = await database.query('SELECT min(received) AS least FROM policy.archive');
    expect(row?.least).toBe(2);
  });

  it('loses nothing when JetStream loses everything (F-NA-10)', async () => {
    const prefix = `test_${randomBytes(6).toString('hex')}`;
    const bus = await newNatsBus(prefix);
    await relayOn(bus, { republishAfterMs: 1_500 });
    await put(0, 50);
    for (let i = 0; i < 500; i++) {
      const [row] = await database.query('SELECT count(*) AS n FROM policy.outbox WHERE published_at IS NULL');
      if (row?.n === 0) break;
      await sleep(10);
    }
    await removeStreams(prefix);
    await put(50, 60);
    await archiveWith(await newNatsBus(prefix, 'audit'));
    await untilArchived(60);
    const [row] = await database.query(
      'SELECT count(DISTINCT event_id) AS n, max(received) AS most FROM policy.archive',
    );
    expect(row).toEqual({ n: 60, most: 1 });
    await removeStreams(prefix);
  });
});

async function removeStreams(prefix: string): Promise<void> {
  const connection = await connect({ servers });
  const manager = await connection.jetstreamManager();
  for await (const name of manager.streams.names()) if (name.startsWith(prefix)) await manager.streams.delete(name);
  await connection.close();
}
