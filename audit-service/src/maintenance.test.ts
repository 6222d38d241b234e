import { afterEach, describe, expect, test } from 'vitest';
import { recordMaintenance } from './maintenance.ts';
import { tamper, testRecord } from './testing.ts';
import { verifyRecord } from './verify.ts';

const record = await testRecord();

describe('a month that was dropped', () => {
  /** Makes the record look as if its first four events were two years old. */
  async function age(): Promise<void> {
    await tamper(record.database, async (tx) => {
      await tx.query(
        "CREATE TABLE audit.event_2020_01 PARTITION OF audit.event FOR VALUES FROM ('2020-01-01 00:00Z') TO ('2020-02-01 00:00Z')",
      );
      await tx.query("UPDATE audit.event SET received_at = '2020-01-10 00:00Z' WHERE seq <= 4");
    });
  }
  const drop = () =>
    record.database.transaction(async (tx) => {
      await tx.query('SET LOCAL ROLE cloudhal_maintenance');
      await tx.query("SELECT audit.drop_month('2020-01-01')");
    });
  afterEach(async () => {
    await record.database.query('DROP TABLE IF EXISTS audit.event_2020_01');
  });

  test('has to be behind a checkpoint', async () => {
    await age();
    await expect(drop()).rejects.toThrow('not behind a checkpoint');
  });

  test('is told of in the chain, which verifies on from there', async () => {
    await age();
    await record.checkpoint();
    await record.append(1);
    await drop();
    expect(await record.problemOf()).toMatchObject({ seq: 1, kind: 'gap' });
    await recordMaintenance(record.database);
    await record.checkpoint();
    expect(await record.problemOf(record.signed())).toBeUndefined();
    const [last] = await record.database.query('SELECT body FROM audit.event ORDER BY seq DESC LIMIT 1');
    expect(JSON.parse(last!.body)).toMatchObject({ type: 'retention', details: { seq: 4 } });
    await recordMaintenance(record.database);
    expect((await verifyRecord(record.database)).chains).toMatchObject([{ events: 4, head: 8 }]);
  });
});
