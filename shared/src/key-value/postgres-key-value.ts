import type { Database } from '../database.ts';
import type { KeyValue, RateLimit, RateVerdict } from './key-value.ts';

const sweepMs = 60_000;

/** Small shared state in the tables `shared.key_value` and `shared.rate`, for deployments without Redis. */
export async function createPostgresKeyValue(database: Database): Promise<KeyValue> {
  await database.query('SELECT 1 FROM shared.key_value LIMIT 0');
  return new PostgresKeyValue(database);
}

const expiry = (parameter: string) => `clock_timestamp() + ${parameter}::float8 * interval '1 millisecond'`;

class PostgresKeyValue implements KeyValue {
  readonly #database: Database;
  readonly #sweeper: NodeJS.Timeout;

  constructor(database: Database) {
    this.#database = database;
    this.#sweeper = setInterval(() => void this.#sweep(), sweepMs);
    this.#sweeper.unref();
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.getMany([key]))[0];
  }

  async getMany(keys: readonly string[]): Promise<(string | undefined)[]> {
    if (keys.length === 0) return [];
    const rows = await this.#database.query<{ key: string; value: string }>(
      `SELECT key, value FROM shared.key_value
       WHERE key = ANY($1::text[]) AND (expires_at IS NULL OR expires_at > clock_timestamp())`,
      [keys],
      { name: 'key_value.get' },
    );
    const values = new Map(rows.map(({ key, value }) => [key, value]));
    return keys.map((key) => values.get(key));
  }

  async set(key: string, value: string, options: { ttlMs?: number } = {}): Promise<void> {
    await this.#database.query(
      `INSERT INTO shared.key_value (key, value, expires_at) VALUES ($1, $2, ${expiry('$3')})
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
      [key, value, options.ttlMs ?? null],
      { name: 'key_value.set' },
    );
  }

  async compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    options: { ttlMs?: number } = {},
  ): Promise<boolean> {
    const ttlMs = options.ttlMs ?? null;
    if (expected === undefined) return this.#setIfAbsent(key, value, ttlMs);
    const rows = await this.#database.query(
      `UPDATE shared.key_value SET value = $3, expires_at = ${expiry('$4')}
       WHERE key = $1 AND value = $2 AND (expires_at IS NULL OR expires_at > clock_timestamp()) RETURNING 1`,
      [key, expected, value, ttlMs],
      { name: 'key_value.swap' },
    );
    return rows.length === 1;
  }

  /** A row whose time is over counts as absent. */
  async #setIfAbsent(key: string, value: string, ttlMs: number | null): Promise<boolean> {
    const rows = await this.#database.query(
      `INSERT INTO shared.key_value AS held (key, value, expires_at) VALUES ($1, $2, ${expiry('$3')})
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
       WHERE held.expires_at <= clock_timestamp() RETURNING 1`,
      [key, value, ttlMs],
      { name: 'key_value.add' },
    );
    return rows.length === 1;
  }

  async delete(key: string): Promise<void> {
    await this.#database.query('DELETE FROM shared.key_value WHERE key = $1', [key], { name: 'key_value.delete' });
  }

  async take(key: string, limit: RateLimit, cost = 1): Promise<RateVerdict> {
    const [row] = await this.#database.query<{ allowed: boolean; remaining: number; retry_after_ms: number }>(
      'SELECT allowed, remaining, retry_after_ms FROM shared.take($1, $2, $3, $4)',
      [key, limit.burst, limit.perMinute, cost],
      { name: 'key_value.take' },
    );
    if (!row) throw new Error('shared.take gave no row.');
    return { allowed: row.allowed, remaining: row.remaining, retryAfterMs: Math.ceil(row.retry_after_ms) };
  }

  async #sweep(): Promise<void> {
    const expired = `DELETE FROM shared.key_value WHERE key IN
      (SELECT key FROM shared.key_value WHERE expires_at < clock_timestamp() LIMIT 5000 FOR UPDATE SKIP LOCKED)`;
    const full = `DELETE FROM shared.rate WHERE key IN
      (SELECT key FROM shared.rate WHERE tat < clock_timestamp() LIMIT 5000 FOR UPDATE SKIP LOCKED)`;
    await Promise.allSettled([this.#database.query(expired), this.#database.query(full)]);
  }

  /** The database is its owner's to close. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
  }
}
