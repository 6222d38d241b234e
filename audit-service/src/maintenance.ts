import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { Stop } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';
import { tenant } from '@cloudhal/shared/policy';
import { appendEvents } from './append.ts';
import { ownService } from './entry.ts';

/** Makes the partitions of this month and the next three, where they are missing. */
async function makePartitions(database: Database): Promise<void> {
  await database.query('SELECT audit.make_partitions(3)');
}

/** Puts an event into the record for each erasure and each month that was dropped. */
export async function recordMaintenance(database: Database): Promise<void> {
  const rows = await database.query(
    `SELECT m.event_id, m.part, m.type, m.details, m.at FROM audit.maintenance m
     WHERE NOT EXISTS (SELECT FROM audit.event_id i WHERE i.event_id = m.event_id) ORDER BY m.at LIMIT 200`,
  );
  const events = rows.map(
    (row): AuditEvent => ({
      v: 1,
      event_id: row.event_id,
      type: row.type,
      tenant,
      site: row.part,
      actor: { type: 'service', id: 'maintenance' },
      details: row.details,
      ts: new Date(row.at).toISOString(),
      service: ownService,
    }),
  );
  await appendEvents(database, ...events);
}

const everyMs = 10_000;
const partitionsEveryMs = 3_600_000;

/** Keeps partitions ready and records what maintenance did, from now on until stopped. */
export async function startMaintenance({ database, log }: { database: Database; log: Log }): Promise<Stop> {
  await makePartitions(database);
  let partitionsAt = performance.now();
  let running = Promise.resolve();
  const round = async () => {
    await recordMaintenance(database);
    if (performance.now() - partitionsAt < partitionsEveryMs) return;
    await makePartitions(database);
    partitionsAt = performance.now();
  };
  const timer = setInterval(() => {
    running = running.then(round).catch((error) => log.warn({ err: error }, 'maintenance is interrupted'));
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
