import type { Queryable } from './database.ts';

/** A clock further off than this would make signatures that nobody accepts. */
const maxSkewMs = 60_000;

/** Whether this machine's clock agrees with the store's, which is the one that counts. Rejects where the store does not answer. */
export async function clockAgrees(database: Queryable): Promise<boolean> {
  const askedAt = Date.now();
  const [row] = await database.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now', [], {
    timeoutMs: 1_000,
  });
  return Math.abs(Number(row?.now) - (askedAt + Date.now()) / 2) < maxSkewMs;
}
