import type { Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { Principal } from '@cloudhal/shared/policy';

type Key = Pick<Principal, 'id' | 'kind' | 'keyId'>;

/** What a taint is kept under. A person is never tainted. */
export function taintName({ kind, keyId, id }: Key): string | undefined {
  return kind === 'person' ? undefined : (keyId ?? id);
}

/**
 * Taints a key; an earlier, longer taint stands. Resolved before a call goes on whose result carries text from strangers,
 * and rejects with `policy_unavailable` where it could not be stored.
 */
export async function taint(database: Queryable, key: Key, minutes: number): Promise<void> {
  const name = taintName(key);
  if (name === undefined || minutes <= 0) return;
  try {
    await database.query(
      `INSERT INTO policy.taint AS t (key, until) VALUES ($1, clock_timestamp() + $2::float8 * interval '1 minute')
       ON CONFLICT (key) DO UPDATE SET until = greatest(t.until, excluded.until)`,
      [name, minutes],
      { name: 'policy.taint' },
    );
  } catch {
    throw fail('policy_unavailable');
  }
}

/** Until when the key is tainted, by the store's clock. */
export async function taintedUntil(database: Queryable, key: Key): Promise<Date | undefined> {
  const [row] = await database.query<{ until: Date }>(
    'SELECT until FROM policy.taint WHERE key = $1 AND until > clock_timestamp()',
    [taintName(key) ?? ''],
    { name: 'policy.tainted' },
  );
  return row?.until;
}
