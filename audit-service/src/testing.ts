import { createPublicKey, type KeyObject } from 'node:crypto';
import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { Database, Queryable } from '@cloudhal/shared/database';
import { houseFile } from '@cloudhal/shared/house-file';
import { uuidv7 } from '@cloudhal/shared/ids';
import { migrate } from '@cloudhal/shared/migrate';
import { generateSigner } from '@cloudhal/shared/secrets';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';

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
