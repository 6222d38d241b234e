import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cloudhal/shared/database';
import type { Change, Told } from './ledger.ts';
import type { Site } from './newsroom.ts';

type Middle = {
  database: Database;
  site: Site;
  change: Change;
  ask(change: Change): Promise<Told>;
  /** For seconds only: then the store gives the change up. */
  meanwhile(): Promise<void>;
};

/**
 * Asks for a change, and does `meanwhile` after a worker has begun with it and before it can commit; then lets it go on.
 * How it ends is for the caller to wait for.
 */
export async function inTheMiddleOf({
  database,
  site,
  change,
  ask,
  meanwhile,
}: Middle): Promise<{ end: Promise<Told> }> {
  return database.transaction(async (tx) => {
    // Every writer of the site waits for this row.
    await tx.query('SELECT id FROM tools.site WHERE id = $1 FOR UPDATE', [site.id]);
    const end = ask(change);
    await begun(database, change);
    await meanwhile();
    return { end };
  });
}

async function begun(database: Database, { idempotencyKey }: Change): Promise<void> {
  for (let look = 0; look < 400; look++) {
    const [call] = await database.query('SELECT 1 FROM tools.calls WHERE idempotency_key = $1', [idempotencyKey]);
    if (call !== undefined) return;
    await sleep(10);
  }
  throw new Error('no worker has begun with the change');
}
