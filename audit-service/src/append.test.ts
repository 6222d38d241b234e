import { openDatabase } from '@cloudhal/shared/database';
import type { TestDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appendEvents, appendRecords } from './append.ts';
import { showNames } from './names.ts';
import { emptyRecord, recordDatabase, sampleEvent } from './testing.ts';
import { verifyRecord } from './verify.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await recordDatabase();
});
afterAll(() => db.drop());
beforeEach(() => emptyRecord(db.database));

async function bodies(part = 'site_a') {
  const rows = await db.database.query('SELECT seq, body FROM audit.event WHERE part = $1 ORDER BY seq', [part]);
  return rows.map((row) => ({ seq: row.seq, event: JSON.parse(row.body) }));
}

describe('appending', () => {
  test('numbers the events of each site without a gap and links them', async () => {
    await appendEvents(db.database, sampleEvent(), sampleEvent({ site: 'site_b' }), sampleEvent());
    await appendEvents(db.database, sampleEvent({ site: '_deployment', type: 'auth.sign_in' }));
    expect((await bodies()).map((line) => line.seq)).toEqual([1, 2]);
    const report = await verifyRecord(db.database);
    expect(report.ok).toBe(true);
    expect(report.chains.map(({ chain, events }) => [chain, events])).toEqual([
      ['_deployment', 1],
      ['site_a', 2],
      ['site_b', 1],
    ]);
  });

  test('takes an event once, in one batch or in several', async () => {
    const event = sampleEvent();
    const record = { id: event.event_id, record: event };
    expect(await appendRecords(db.database, [record, record])).toEqual({ events: 1, repeated: 1, rejected: 0 });
    expect(await appendRecords(db.database, [record])).toEqual({ events: 0, repeated: 1, rejected: 0 });
    expect(await bodies()).toHaveLength(1);
  });

  test('keeps both sides of a contradiction: the first event, and word of the other', async () => {
    const event = sampleEvent();
    const other = { id: event.event_id, record: { ...event, tool: 'publish' } };
    await appendEvents(db.database, event);
    for (const _ of [1, 2]) await appendRecords(db.database, [other]);
    const [first, conflict, ...rest] = await bodies();
    expect(first?.event).toEqual(event);
    expect(conflict?.event).toMatchObject({ type: 'integrity.conflict', details: { event_id: event.event_id } });
    expect(rest).toEqual([]);
    const [kept] = await db.database.query('SELECT * FROM audit.invalid');
    expect(JSON.parse(kept!.raw)).toEqual(other.record);
    expect((await verifyRecord(db.database)).ok).toBe(true);
  });

  test('goes on past records that it cannot take, and tells of each once', async () => {
    const poison: unknown[] = [
      'no JSON {',
      null,
      { ...sampleEvent(), event_id: 'x' },
      { ...sampleEvent(), ts: 'yesterday' },
      // A time that only the database refuses.
      { ...sampleEvent(), ts: '0000-01-01T00:00:00Z' },
      { ...sampleEvent(), site: '../../etc' },
      { ...sampleEvent(), actor: undefined },
      // As if this service had dropped a month.
      { ...sampleEvent(), type: 'retention', service: 'audit-service', details: { seq: 4, head: '00' } },
      JSON.parse(`{"v":1,"details":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
    ];
    const good = sampleEvent();
    const records = [...poison, good].map((record, i) => ({ id: `record ${i}\0`, record }));
    expect(await appendRecords(db.database, records)).toMatchObject({ rejected: poison.length });
    expect(await appendRecords(db.database, records)).toEqual({ events: 0, repeated: records.length, rejected: 0 });
    expect((await bodies()).map((line) => line.event)).toEqual([good]);
    expect((await bodies('_deployment')).map((line) => line.event.type)).toEqual(poison.map(() => 'integrity.invalid'));
    const [counted] = await db.database.query('SELECT count(*) AS n FROM audit.invalid WHERE length(sha256) = 32');
    expect(counted?.n).toBe(poison.length);
    expect((await verifyRecord(db.database)).ok).toBe(true);
  });

  test('takes hostile text as it is', async () => {
    const event = sampleEvent({
      tool: `\0\ud800${'x'.repeat(198)}😀${'y'.repeat(5_000)}`,
      client: { name: '\u001b[2J\r\n\u202e{"type":"decision"}\u2028' },
      note: '\0',
      details: { __proto__: null, n: -0, big: 1e300 },
    });
    await appendEvents(db.database, event);
    expect((await bodies())[0]?.event).toMatchObject({ tool: event.tool, client: event.client, note: '\0' });
    expect((await verifyRecord(db.database)).ok).toBe(true);
  });

  test('stays gap-free with several appenders on the same chains', async () => {
    const others = [1, 2, 3].map((n) => openDatabase({ url: db.url, name: `appender ${n}` }));
    const shared = Array.from({ length: 60 }, () => sampleEvent());
    await Promise.all(
      others.map(async (database, n) => {
        for (let i = 0; i < 10; i++) {
          const own = Array.from({ length: 5 }, () => sampleEvent({ site: i % 2 ? 'site_b' : 'site_a' }));
          const reverse = n % 2 ? [...own, sampleEvent({ site: 'site_b' })] : [sampleEvent({ site: 'site_b' }), ...own];
          await appendEvents(database, ...reverse, ...shared.slice(i * 6, i * 6 + 6));
        }
      }),
    );
    await Promise.all(others.map((database) => database.close()));
    const report = await verifyRecord(db.database);
    expect(report).toMatchObject({ ok: true });
    expect(report.chains.reduce((sum, chain) => sum + chain.events, 0)).toBe(3 * 10 * 6 + shared.length);
  });
});

describe('what must not stay', () => {
  test('a credential that slipped into an event is not stored', async () => {
    const key = `chk_live_${'a1'.repeat(20)}`;
    await appendEvents(
      db.database,
      sampleEvent({
        note: `with ${key}`,
        args_redacted: { headers: { Authorization: 'Bearer abc.def' }, password: 'hunter2' },
      }),
    );
    const [line] = await db.database.query('SELECT body FROM audit.event');
    for (const secret of [key, 'abc.def', 'hunter2']) expect(line!.body).not.toContain(secret);
    expect((await verifyRecord(db.database)).ok).toBe(true);
  });

  test("a person's name can be erased, and the chain still verifies", async () => {
    const actor = { type: 'person', id: 'person:ann', name: 'Ann Example' };
    await appendEvents(db.database, sampleEvent({ actor }), sampleEvent({ actor }));
    const stored = (await bodies()).map((line) => line.event);
    expect(JSON.stringify(stored)).not.toContain('Ann Example');
    expect((await showNames(db.database, stored)).map((event) => event.actor.name)).toEqual([
      'Ann Example',
      'Ann Example',
    ]);
    await db.database.transaction(async (tx) => {
      await tx.query('SET LOCAL ROLE cloudhal_maintenance');
      await tx.query("SELECT audit.erase_person('person:ann')");
    });
    expect((await showNames(db.database, stored)).map((event) => event.actor)).toEqual(
      stored.map(() => ({ type: 'person', id: 'person:ann' })),
    );
    expect((await db.database.query('SELECT FROM audit.name')).length).toBe(0);
    expect((await verifyRecord(db.database)).ok).toBe(true);
  });
});

test("a person's name that was put in place of another is found, and not shown", async () => {
  await appendEvents(db.database, sampleEvent({ actor: { type: 'person', id: 'person:ann', name: 'Ann' } }));
  await db.database.query("UPDATE audit.name SET name = 'Bob' WHERE subject = 'person:ann'");
  const stored = (await bodies()).map((line) => line.event);
  expect((await showNames(db.database, stored)).map((event) => event.actor.name)).toEqual([undefined]);
  const { ok, chains } = await verifyRecord(db.database);
  expect(ok).toBe(false);
  expect(chains[0]?.problem).toMatchObject({ seq: 1, kind: 'body_changed' });
});

describe('the role of the service', () => {
  test.each([
    'UPDATE audit.event SET body = body',
    'DELETE FROM audit.event',
    'TRUNCATE audit.event',
    'DELETE FROM audit.event_id',
    'UPDATE audit.event_id SET seq = 1',
    'UPDATE audit.checkpoint SET note = note',
    'DELETE FROM audit.name',
    'DELETE FROM audit.head',
    "SELECT audit.erase_person('x')",
    "SELECT audit.drop_month('2020-01-01')",
    'ALTER TABLE audit.event DISABLE TRIGGER ALL',
    'DROP TABLE audit.event',
    'SET session_replication_role = replica',
  ])('may not: %s', async (statement) => {
    const database = openDatabase({ url: db.urlAs('audit'), name: 'test' });
    await appendEvents(database, sampleEvent());
    await expect(database.query(statement)).rejects.toMatchObject({ code: '42501' });
    await database.close();
  });

  test('its owner may not change a line either, without switching the triggers off', async () => {
    await appendEvents(db.database, sampleEvent());
    for (const statement of ['UPDATE audit.event SET seq = 9', 'DELETE FROM audit.event', 'TRUNCATE audit.event']) {
      await expect(db.database.query(statement)).rejects.toThrow('append-only');
    }
    const [partition] = await db.database.query('SELECT tableoid::regclass::text AS name FROM audit.event');
    await expect(db.database.query(`TRUNCATE ${partition!.name}`)).rejects.toThrow('append-only');
  });
});
