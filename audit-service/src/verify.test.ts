import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@cloudhal/shared/log';
import type { TestDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appendEvents } from './append.ts';
import { eventHash, genesis } from './chain.ts';
import { startCheckpointer } from './checkpointer.ts';
import { recordMaintenance } from './maintenance.ts';
import { checkpointKey, emptyRecord, recordDatabase, sampleEvent, tamper } from './testing.ts';
import { type VerifyOptions, verifyRecord } from './verify.ts';

const log = createLog('audit-service', { level: 'silent' });
const { key, publicKeys } = checkpointKey();

let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await recordDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  await emptyRecord(db.database);
  folder = await mkdtemp(join(tmpdir(), 'cloudhal-checkpoints-'));
  await append(6);
});
afterEach(() => rm(folder, { recursive: true }));

async function append(n: number, fields = {}): Promise<void> {
  await appendEvents(db.database, ...Array.from({ length: n }, () => sampleEvent(fields)));
}

/** Signs what there is, as at the end of a run. */
async function checkpoint(signingKey = key): Promise<void> {
  await startCheckpointer({ database: db.database, log, key: signingKey, folder })();
}

async function problemOf(options: VerifyOptions = {}) {
  const report = await verifyRecord(db.database, { site: 'site_a', ...options });
  return report.chains[0]?.problem;
}

/** Gives the chain new hashes from `from` on, as someone would who knows how they are made and owns the database. */
async function rechain(from: number): Promise<void> {
  await tamper(db.database, async (tx) => {
    const rows = await tx.query("SELECT seq, body, hash FROM audit.event WHERE part = 'site_a' ORDER BY seq");
    let prev: Buffer = genesis;
    for (const { seq, body, hash } of rows) {
      const next = seq < from ? hash : eventHash(prev, seq, body);
      await tx.query("UPDATE audit.event SET prev = $2, hash = $3 WHERE part = 'site_a' AND seq = $1", [
        seq,
        prev,
        next,
      ]);
      prev = next;
    }
    await tx.query("UPDATE audit.head SET hash = $1, seq = $2 WHERE part = 'site_a'", [prev, rows.at(-1)?.seq ?? 0]);
  });
}

const changeBody = (seq: number) =>
  `UPDATE audit.event SET body = replace(body, 'get_entry', 'get_entrx') WHERE part = 'site_a' AND seq = ${seq}`;

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
    await tamper(db.database, async (tx) => {
      for (const statement of statements) await tx.query(statement);
    });
    expect(await problemOf()).toMatchObject(problem);
  });

  test('a row between two others whose hashes fit', async () => {
    await tamper(db.database, async (tx) => {
      const body = JSON.stringify(sampleEvent());
      await tx.query('UPDATE audit.event SET seq = seq + 100 WHERE seq > 3');
      await tx.query('UPDATE audit.event SET seq = seq - 99 WHERE seq > 100');
      await tx.query(
        `INSERT INTO audit.event (part, seq, event_id, prev, hash, body, ts, type, actor)
         SELECT part, 4, gen_random_uuid(), hash, sha256('x'), $1, now(), 'read', 'agent:k1' FROM audit.event WHERE seq = 3`,
        [body],
      );
    });
    await rechain(4);
    expect(await problemOf()).toMatchObject({ seq: 4, kind: 'fork' });
  });

  test('an event that was appended a second time behind the back of the service', async () => {
    await tamper(db.database, async (tx) => {
      await tx.query(
        'INSERT INTO audit.event SELECT (jsonb_populate_record(e, \'{"seq": 7}\')).* FROM audit.event e WHERE seq = 2',
      );
    });
    await rechain(7);
    expect(await problemOf()).toMatchObject({ seq: 7, kind: 'duplicate_event' });
  });

  test('that a chain is missing as a whole, when there are checkpoints', async () => {
    await checkpoint();
    await emptyRecord(db.database);
    expect(await problemOf({ checkpoints: folder, publicKeys })).toMatchObject({ kind: 'truncated_after_checkpoint' });
  });
});

describe('an attempt without an outcome', () => {
  const old = new Date(Date.now() - 3_600_000).toISOString();
  test('is a problem after a while', async () => {
    await append(1, { type: 'attempted', ts: old });
    expect(await problemOf()).toMatchObject({ seq: 7, kind: 'missing_outcome' });
  });

  test('is none while it may still be running, nor when the outcome came first', async () => {
    await append(1, { type: 'attempted' });
    for (const type of ['outcome', 'attempted']) await append(1, { type, call_id: 'call-1', ts: old });
    for (const type of ['attempted', 'outcome']) await append(1, { type, call_id: 'call-2', ts: old });
    expect(await problemOf()).toBeUndefined();
  });
});

describe('checkpoints outside the database show', () => {
  test('a cut tail whose head was cut as well', async () => {
    await checkpoint();
    await append(2);
    await checkpoint();
    await tamper(db.database, (tx) => tx.query('DELETE FROM audit.event WHERE seq > 5'));
    await rechain(1);
    expect(await problemOf()).toBeUndefined();
    expect(await problemOf({ checkpoints: folder, publicKeys })).toMatchObject({
      seq: 6,
      kind: 'truncated_after_checkpoint',
    });
  });

  test('a tail cut at a checkpoint', async () => {
    await checkpoint();
    await append(2);
    await checkpoint();
    await tamper(db.database, (tx) => tx.query('DELETE FROM audit.event WHERE seq > 6'));
    await rechain(1);
    expect(await problemOf()).toBeUndefined();
    expect(await problemOf({ checkpoints: folder, publicKeys })).toMatchObject({
      seq: 7,
      kind: 'truncated_after_checkpoint',
    });
  });

  test('a record whose hashes were all made anew', async () => {
    await checkpoint();
    await append(4);
    await checkpoint();
    await tamper(db.database, async (tx) => {
      await tx.query(changeBody(8));
      await tx.query("UPDATE audit.event SET tool = 'get_entrx' WHERE seq = 8");
    });
    await rechain(8);
    expect(await problemOf()).toBeUndefined();
    expect(await problemOf({ checkpoints: folder, publicKeys })).toMatchObject({ seq: 7, kind: 'fork' });
  });

  test('nothing, when all is well', async () => {
    for (const n of [1, 3, 10]) {
      await append(n);
      await checkpoint();
    }
    await append(2);
    const report = await verifyRecord(db.database, { checkpoints: folder, publicKeys });
    expect(report).toEqual({ ok: true, chains: [{ chain: 'site_a', events: 22, head: 22, checkpoints: 3 }] });
    expect((await verifyRecord(db.database, { publicKeys })).ok).toBe(true);
    for (const range of [{ from: 3 }, { from: 8, to: 20 }, { to: 9 }, { from: 22 }]) {
      expect(await problemOf({ checkpoints: folder, publicKeys, ...range })).toBeUndefined();
    }
  });
});

describe('a checkpoint counts only', () => {
  test('with the signature of a known key', async () => {
    await checkpoint();
    const other = checkpointKey();
    expect(await problemOf({ checkpoints: folder, publicKeys: other.publicKeys })).toMatchObject({
      seq: 1,
      kind: 'checkpoint_sig',
    });
    const file = join(folder, 'site_a.checkpoints');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^6$/m, '5'));
    expect(await problemOf({ checkpoints: folder, publicKeys })).toMatchObject({ seq: 1, kind: 'checkpoint_sig' });
  });

  test('in its place: one that was taken out of the file is missed', async () => {
    for (const n of [1, 1, 1]) {
      await append(n);
      await checkpoint();
    }
    const file = join(folder, 'site_a.checkpoints');
    const notes = (await readFile(file, 'utf8')).split(/\n(?=cloudhal\.audit\/)/);
    await writeFile(file, [notes[1], notes[3]].join('\n'));
    expect(await problemOf({ checkpoints: folder, publicKeys })).toMatchObject({ seq: 8, kind: 'checkpoint_sig' });
  });

  test('for its own chain', async () => {
    await append(6, { site: 'site_b' });
    await checkpoint();
    await writeFile(join(folder, 'site_a.checkpoints'), await readFile(join(folder, 'site_b.checkpoints')));
    expect(await problemOf({ checkpoints: folder, publicKeys })).toMatchObject({ kind: 'checkpoint_sig' });
  });

  test('also after its key was exchanged, as long as the old public key is kept', async () => {
    const next = checkpointKey();
    await checkpoint();
    await append(2);
    await checkpoint(next.key);
    const both = [...publicKeys, ...next.publicKeys];
    expect(await problemOf({ checkpoints: folder, publicKeys: both })).toBeUndefined();
    expect(await problemOf({ checkpoints: folder, publicKeys: next.publicKeys })).toMatchObject({
      kind: 'checkpoint_sig',
    });
  });

  test('and none is signed over a chain that does not add up', async () => {
    await checkpoint();
    await append(3);
    await tamper(db.database, (tx) => tx.query(changeBody(8)));
    await checkpoint();
    const [row] = await db.database.query('SELECT max(seq) AS seq FROM audit.checkpoint');
    expect(row?.seq).toBe(6);
  });
});

describe('the checkpoint files', () => {
  test('are in the form that other tools read', async () => {
    await checkpoint();
    const note = (await readFile(join(folder, 'site_a.checkpoints'), 'utf8')).trimStart();
    expect(note).toMatch(
      /^cloudhal\.audit\/site_a\n6\n[A-Za-z0-9+/]{43}=\n(?:[a-z]+ \S+\n)+\n— cloudhal\.audit [A-Za-z0-9+/=]{92}\n$/,
    );
  });

  test('are taken up again after a crash cut the last line short', async () => {
    await checkpoint();
    const file = join(folder, 'site_a.checkpoints');
    await appendFile(file, '\ncloudhal.audit/site_a\n7\nAAAA');
    await append(1);
    await checkpoint();
    expect(await readFile(file, 'utf8')).not.toContain('AAAA\n');
    const report = await verifyRecord(db.database, { checkpoints: folder, publicKeys });
    expect(report).toMatchObject({ ok: true, chains: [{ checkpoints: 2 }] });
  });

  test('of a second process get what the first one signed', async () => {
    await checkpoint();
    const first = folder;
    folder = join(first, 'second');
    await append(1);
    await checkpoint();
    expect(await problemOf({ checkpoints: folder, publicKeys })).toBeUndefined();
    expect((await readFile(join(folder, 'site_a.checkpoints'), 'utf8')).match(/^—/gm)).toHaveLength(2);
    folder = first;
    await checkpoint();
    expect((await readFile(join(first, 'site_a.checkpoints'), 'utf8')).match(/^—/gm)).toHaveLength(2);
    expect((await readdir(first)).filter((name) => name.endsWith('.checkpoints'))).toEqual(['site_a.checkpoints']);
  });
});

describe('a month that was dropped', () => {
  /** Makes the record look as if its first four events were two years old. */
  async function age(): Promise<void> {
    await tamper(db.database, async (tx) => {
      await tx.query(
        "CREATE TABLE audit.event_2020_01 PARTITION OF audit.event FOR VALUES FROM ('2020-01-01 00:00Z') TO ('2020-02-01 00:00Z')",
      );
      await tx.query("UPDATE audit.event SET received_at = '2020-01-10 00:00Z' WHERE seq <= 4");
    });
  }
  const drop = () =>
    db.database.transaction(async (tx) => {
      await tx.query('SET LOCAL ROLE cloudhal_maintenance');
      await tx.query("SELECT audit.drop_month('2020-01-01')");
    });
  afterEach(async () => {
    await db.database.query('DROP TABLE IF EXISTS audit.event_2020_01');
  });

  test('has to be behind a checkpoint', async () => {
    await age();
    await expect(drop()).rejects.toThrow('not behind a checkpoint');
  });

  test('is told of in the chain, which verifies on from there', async () => {
    await age();
    await checkpoint();
    await append(1);
    await drop();
    expect(await problemOf()).toMatchObject({ seq: 1, kind: 'gap' });
    await recordMaintenance(db.database);
    await checkpoint();
    expect(await problemOf({ checkpoints: folder, publicKeys })).toBeUndefined();
    const [last] = await db.database.query('SELECT body FROM audit.event ORDER BY seq DESC LIMIT 1');
    expect(JSON.parse(last!.body)).toMatchObject({ type: 'retention', details: { seq: 4 } });
    await recordMaintenance(db.database);
    expect((await verifyRecord(db.database)).chains).toMatchObject([{ events: 4, head: 8 }]);
  });
});
