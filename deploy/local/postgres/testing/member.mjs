// A process that uses the folder's PostgreSQL until it is told to stop: one JSON answer to each line of SQL.
import { createInterface } from 'node:readline';
import { Pool } from 'pg';
import { openEmbeddedPostgres } from '../../../dist/local/postgres/embedded-postgres.js';

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const fault = (error) => ({ error: { code: error.code ?? error.body?.code ?? 'unknown', message: error.message } });

const postgres = await openEmbeddedPostgres(process.argv[2]).catch((error) => {
  say(fault(error));
  process.exit(1);
});
const pool = new Pool({
  connectionString: postgres.url,
  max: 2,
  connectionTimeoutMillis: 5_000,
  query_timeout: 20_000,
});
pool.on('error', () => undefined);
say({ url: postgres.url });
for await (const sql of createInterface({ input: process.stdin })) {
  if (sql === 'stop') break;
  say(await pool.query(sql).then(({ rows }) => ({ rows }), fault));
}
await pool.end();
await postgres.stop();
say({ stopped: true });
process.exit(0);
