import { describe, expect, test } from 'vitest';
import { changeBody, emptyRecord, sampleEvent, tamper, testRecord } from './testing.ts';
import { verifyRecord } from './verify.ts';

const record = await testRecord();

describe('the chain itself shows', () => {
  const tampering: [what: string, statements: string[], problem: { seq: number; kind: string }][] = [
    ['a changed byte in a body', [changeBody(3)], { seq: 3, kind: 'body_changed' }],
    ['a body that is no JSON', ["UPDATE audit.event SET body = 'x' WHERE seq = 2"], { seq: 2, kind: 'body_changed' }],
    ['a changed hash', ["UPDATE audit.event SET hash = sha256('x') WHERE seq = 4"], { seq: 4, kind: 'body_changed' }],
    [
      'a changed search column',
      ["UPDATE audit.event SET actor = 'agent:k2' WHERE seq = 4"],
      { seq: 4, kind: 'body_changed' },
    ],
    ['a changed time', ["UPDATE audit.event SET ts = ts + '1 ms' WHERE seq = 5"], { seq: 5, kind: 'body_changed' }],
    ['a deleted row in the middle', ['DELETE FROM audit.event WHERE seq = 3'], { seq: 3, kind: 'gap' }],
    ['a deleted beginning', ['DELETE FROM audit.event WHERE seq < 3'], { seq: 1, kind: 'gap' }],
    ['a deleted end', ['DELETE FROM audit.event WHERE seq > 4'], { seq: 5, kind: 'head_mismatch' }],
    ['a changed head', ['UPDATE audit.head SET seq = 5'], { seq: 6, kind: 'head_mismatch' }],
    ['a lost head', ['DELETE FROM audit.head'], { seq: 1, kind: 'head_mismatch' }],
    [
      'two rows that changed places',
      [
        'UPDATE audit.event SET seq = seq + 100 WHERE seq IN (2, 3)',
        'UPDATE audit.event SET seq = 105 - seq WHERE seq > 100',
      ],
      { seq: 2, kind: 'reordered' },
    ],
    [
      'two texts that changed places',
      [
        `UPDATE audit.event a SET body = b.body, event_id = b.event_id, ts = b.ts, call_id = b.call_id
         FROM audit.event b WHERE a.seq IN (2, 3) AND b.seq = 5 - a.seq`,
      ],
      { seq: 2, kind: 'reordered' },
    ],
    [
      'a second event of one number',
      [
        `INSERT INTO audit.event SELECT (jsonb_populate_record(e, '{"received_at": "${new Date().toISOString()}"}')).*
         FROM audit.event e WHERE seq = 3`,
      ],
      { seq: 3, kind: 'fork' },
    ],
    [
      'a forged row after the end',
      ['INSERT INTO audit.event SELECT (jsonb_populate_record(e, \'{"seq": 7}\')).* FROM audit.event e WHERE seq = 6'],
      { seq: 7, kind: 'reordered' },
    ],
  ];
  test.each(tampering)('%s', async (_, statements, problem) => {
    await tamper(record.database, async (tx) => {
      for (const statement of statements) await tx.query(statement);
    });
    expect(await record.problemOf()).toMatchObject(problem);
  });

  test('a row between two others whose hashes fit', async () => {
    await tamper(record.database, async (tx) => {
      const body = JSON.stringify(sampleEvent());
      await tx.query('UPDATE audit.event SET seq = seq + 100 WHERE seq > 3');
      await tx.query('UPDATE audit.event SET seq = seq - 99 WHERE seq > 100');
      await tx.query(
        `INSERT INTO audit.event (part, seq, event_id, prev, hash, body, ts, type, actor)
         SELECT part, 4, gen_random_uuid(), hash, sha256('x'), $1, now(), 'read', 'agent:k1' FROM audit.event WHERE seq = 3`,
        [body],
      );
    });
    await record.rechain(4);
    expect(await record.problemOf()).toMatchObject({ seq: 4, kind: 'fork' });
  });

  test('an event that was appended a second time behind the back of the service', async () => {
    await tamper(record.database, async (tx) => {
      await tx.query(
        'INSERT INTO audit.event SELECT (jsonb_populate_record(e, \'{"seq": 7}\')).* FROM audit.event e WHERE seq = 2',
      );
    });
    await record.rechain(7);
    expect(await record.problemOf()).toMatchObject({ seq: 7, kind: 'duplicate_event' });
  });

  test('that a chain is missing as a whole, when there are checkpoints', async () => {
    await record.checkpoint();
    await emptyRecord(record.database);
    expect(await record.problemOf(record.signed())).toMatchObject({ kind: 'truncated_after_checkpoint' });
  });
});

describe('an attempt without an outcome', () => {
  const old = new Date(Date.now() - 3_600_000).toISOString();
  test('is a problem after a while', async () => {
    await record.append(1, { type: 'attempted', ts: old });
    expect(await record.problemOf()).toMatchObject({ seq: 7, kind: 'missing_outcome' });
  });

  test('is none while it may still be running, nor when the outcome came first', async () => {
    await record.append(1, { type: 'attempted' });
    for (const type of ['outcome', 'attempted']) await record.append(1, { type, call_id: 'call-1', ts: old });
    for (const type of ['attempted', 'outcome']) await record.append(1, { type, call_id: 'call-2', ts: old });
    expect(await record.problemOf()).toBeUndefined();
  });
});

describe('checkpoints outside the database show', () => {
  test('a cut tail whose head was cut as well', async () => {
    await record.checkpoint();
    await record.append(2);
    await record.checkpoint();
    await tamper(record.database, (tx) => tx.query('DELETE FROM audit.event WHERE seq > 5'));
    await record.rechain(1);
    expect(await record.problemOf()).toBeUndefined();
    expect(await record.problemOf(record.signed())).toMatchObject({
      seq: 6,
      kind: 'truncated_after_checkpoint',
    });
  });

  test('a tail cut at a checkpoint', async () => {
    await record.checkpoint();
    await record.append(2);
    await record.checkpoint();
    await tamper(record.database, (tx) => tx.query('DELETE FROM audit.event WHERE seq > 6'));
    await record.rechain(1);
    expect(await record.problemOf()).toBeUndefined();
    expect(await record.problemOf(record.signed())).toMatchObject({
      seq: 7,
      kind: 'truncated_after_checkpoint',
    });
  });

  test('a record whose hashes were all made anew', async () => {
    await record.checkpoint();
    await record.append(4);
    await record.checkpoint();
    await tamper(record.database, async (tx) => {
      await tx.query(changeBody(8));
      await tx.query("UPDATE audit.event SET tool = 'get_entrx' WHERE seq = 8");
    });
    await record.rechain(8);
    expect(await record.problemOf()).toBeUndefined();
    expect(await record.problemOf(record.signed())).toMatchObject({ seq: 7, kind: 'fork' });
  });

  test('nothing, when all is well', async () => {
    for (const n of [1, 3, 10]) {
      await record.append(n);
      await record.checkpoint();
    }
    await record.append(2);
    const report = await verifyRecord(record.database, record.signed());
    expect(report).toEqual({ ok: true, chains: [{ chain: 'site_a', events: 22, head: 22, checkpoints: 3 }] });
    expect((await verifyRecord(record.database, { publicKeys: record.signed().publicKeys })).ok).toBe(true);
    for (const range of [{ from: 3 }, { from: 8, to: 20 }, { to: 9 }, { from: 22 }]) {
      expect(await record.problemOf({ ...record.signed(), ...range })).toBeUndefined();
    }
  });
});
