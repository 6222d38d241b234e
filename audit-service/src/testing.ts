import { createPublicKey, type KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { Database, Queryable } from '@cloudhal/shared/database';
import { houseFile } from '@cloudhal/shared/house-file';
import { uuidv7 } from '@cloudhal/shared/ids';
import { createLog } from '@cloudhal/shared/log';
import { migrate } from '@cloudhal/shared/migrate';
import { generateSigner } from '@cloudhal/shared/secrets';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeEach } from 'vitest';
import { appendEvents } from './append.ts';
import { eventHash, genesis } from './chain.ts';
import { startCheckpointer } from './checkpointer.ts';
import { type VerifyOptions, verifyRecord } from './verify.ts';
import type { Problem } from './walk.ts';

/** A fresh database with an empty record. */
export async function recordDatabase(): Promise<TestDatabase> {
  const test = await testDatabase();
  await migrate(test.database, 'audit', houseFile('audit-service/migrations'));
  return test;
}

export function checkpointKey(): { key: KeyObject; publicKeys: KeyObject[] } {
  const { signer } = generateSigner('Ed25519');
  return { key: signer.privateKey, publicKeys: [createPublicKey(signer.privateKey)] };
}

/** An event with all that is needed, a read unless told otherwise. */
export function sampleEvent(fields: Partial<AuditEvent> = {}): AuditEvent {
  return {
    v: 1,
    event_id: uuidv7(),
    type: 'read',
    tenant: 'default',
    site: 'site_a',
    actor: { type: 'agent', id: 'agent:k1', name: 'Writer', key_id: 'k1', on_behalf_of: 'person:ann' },
    tool: 'get_entry',
    decision: { result: 'allow', rule: 'read' },
    outcome: { state: 'succeeded' },
    call_id: uuidv7(),
    ts: new Date().toISOString(),
    service: 'tool-service',
    ...fields,
  };
}

/** What only a superuser who switches triggers off can do. */
export async function tamper(database: Database, work: (tx: Queryable) => Promise<unknown>): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    await work(tx);
  });
}

export async function emptyRecord(database: Database): Promise<void> {
  const tables = ['event', 'event_id', 'head', 'invalid', 'name', 'checkpoint', 'maintenance'];
  await tamper(database, (tx) => tx.query(`TRUNCATE ${tables.map((table) => `audit.${table}`).join(', ')}`));
}

/** A record of six events to tamper with, made anew for each test, and a folder for its checkpoints. */
export type TestRecord = {
  database: Database;
  folder: string;
  append(n: number, fields?: Partial<AuditEvent>): Promise<void>;
  /** Signs what there is, as at the end of a run. */
  checkpoint(key?: KeyObject): Promise<void>;
  /** What `verifyRecord` takes to look at the checkpoints. */
  signed(): { checkpoints: string; publicKeys: KeyObject[] };
  /** The first problem of the chain of `site_a`. */
  problemOf(options?: VerifyOptions): Promise<Problem | undefined>;
  /** Gives the chain new hashes from `from` on, as someone would who knows how they are made and owns the database. */
  rechain(from: number): Promise<void>;
};

/** Changes what an event says and leaves its hash as it was. */
export const changeBody = (seq: number) =>
  `UPDATE audit.event SET body = replace(body, 'get_entry', 'get_entrx') WHERE part = 'site_a' AND seq = ${seq}`;

export async function testRecord(): Promise<TestRecord> {
  const { database, drop } = await recordDatabase();
  const { key: ownKey, publicKeys } = checkpointKey();
  const log = createLog('audit-service', { level: 'silent' });
  const root = await mkdtemp(join(tmpdir(), 'cloudhal-record-'));
  const record: TestRecord = {
    database,
    folder: root,
    append: (n, fields) => appendEvents(database, ...Array.from({ length: n }, () => sampleEvent(fields))),
    checkpoint: (key = ownKey) => startCheckpointer({ database, log, key, folder: record.folder })(),
    signed: () => ({ checkpoints: record.folder, publicKeys }),
    async problemOf(options) {
      const report = await verifyRecord(database, { site: 'site_a', ...options });
      return report.chains[0]?.problem;
    },
    rechain: (from) => tamper(database, (tx) => rechain(tx, from)),
  };
  beforeEach(async () => {
    await emptyRecord(database);
    record.folder = await mkdtemp(join(root, 'checkpoints-'));
    await record.append(6);
  });
  afterAll(async () => {
    await drop();
    await rm(root, { recursive: true });
  });
  return record;
}

async function rechain(tx: Queryable, from: number): Promise<void> {
  const rows = await tx.query("SELECT seq, body, hash FROM audit.event WHERE part = 'site_a' ORDER BY seq");
  let prev: Buffer = genesis;
  for (const { seq, body, hash } of rows) {
    const next = seq < from ? hash : eventHash(prev, seq, body);
    await tx.query("UPDATE audit.event SET prev = $2, hash = $3 WHERE part = 'site_a' AND seq = $1", [seq, prev, next]);
    prev = next;
  }
  await tx.query("UPDATE audit.head SET hash = $1, seq = $2 WHERE part = 'site_a'", [prev, rows.at(-1)?.seq ?? 0]);
}
