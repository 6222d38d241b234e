import type { AuditEvent } from '@cloudhal/shared/audit-event';
import { houseFile } from '@cloudhal/shared/house-file';
import { uuidv7 } from '@cloudhal/shared/ids';
import { migrate } from '@cloudhal/shared/migrate';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';

/** A fresh database with an empty record. */
export async function recordDatabase(): Promise<TestDatabase> {
  const test = await testDatabase();
  await migrate(test.database, 'audit', houseFile('audit-service/migrations'));
  return test;
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
