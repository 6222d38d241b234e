import type { Queryable } from '@cloudhal/shared/database';
import type { View } from './access.ts';
import { Conditions } from './query.ts';

export type Usage = { id: string; calls: number; denied: number; waited: number };

/** How many calls each agent made since a time, how many of them were refused, and how many waited for a person. */
export async function countUsage(database: Queryable, view: View, since: string): Promise<Usage[]> {
  const where = new Conditions();
  where.addView(view);
  where.addTime('>=', 'since', since);
  // Each call has one line that says how it was decided.
  where.add("starts_with(e.actor, 'agent:') AND e.type IN ('attempted', 'read', 'decision')");
  return database.query<Usage>(
    `SELECT e.actor AS id, count(*)::int AS calls, count(*) FILTER (WHERE e.decision = 'deny')::int AS denied,
       count(*) FILTER (WHERE e.decision = 'person')::int AS waited
     FROM audit.event e WHERE ${where} GROUP BY e.actor ORDER BY e.actor LIMIT 1000`,
    where.values,
  );
}
