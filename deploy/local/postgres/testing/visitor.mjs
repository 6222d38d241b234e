// A process that comes and goes: opens the folder's PostgreSQL, writes one row and leaves, as often as it is told.
import { Client } from 'pg';
import { openEmbeddedPostgres } from '../../../dist/local/postgres/embedded-postgres.js';

const [folder, rounds] = process.argv.slice(2);
for (let round = 0; round < Number(rounds); round += 1) {
  const postgres = await openEmbeddedPostgres(folder);
  const client = new Client({ connectionString: postgres.url, connectionTimeoutMillis: 5_000, query_timeout: 20_000 });
  await client.connect();
  await client.query('insert into visit (pid, round) values ($1, $2)', [process.pid, round]);
  await client.end();
  await postgres.stop();
}
