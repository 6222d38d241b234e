import type { Queryable } from '@cloudhal/shared/database';

/** Makes the partitions of this month and the next three, where they are missing. */
export async function makePartitions(database: Queryable): Promise<void> {
  await database.query('SELECT audit.make_partitions(3)');
}
