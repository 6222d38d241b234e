import { fail } from '@cloudhal/shared/errors';
import { Client } from 'pg';

/**
 * A process that uses the server holds this lock, shared, on a connection of its own. However the process ends, the
 * connection ends with it and the lock is free: nothing is left behind that could be stale. Advisory locks belong to one
 * database, so all of them are taken in `postgres`.
 */
const inUse = 0x636c6f7564;
const alteringRoles = inUse + 1;

/** A login that counts as one user of the server, or undefined if the server is going away or not yet there. */
export async function enter(port: number, password: string): Promise<Client | undefined> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    application_name: 'cloudhal-user',
    ssl: false,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Waits while the last user is stopping the server, and then breaks with it.
    await client.query('select pg_advisory_lock_shared($1)', [inUse]);
    return client;
  } catch (error) {
    void client.end().catch(() => undefined);
    if ((error as { code?: string }).code !== '28P01') return undefined;
    throw fail('local_store_unavailable', {
      problem: 'its PostgreSQL refuses the password',
      how: 'Restore secrets/postgres-password in the .cloudhal folder: it is not the one that this data was made with.',
    });
  }
}

/**
 * Gives up one's own use. True for the last user, exactly one even if several leave at once; until its connection ends
 * nobody can come in, so it must stop the server before that.
 */
export async function leave(client: Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1)', [inUse]);
  const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [inUse]);
  return rows[0]?.last === true;
}

/** Makes the database if nobody has; of several at once one makes it. */
export async function ensureDatabase(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount) return;
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    const madeByAnother = ['42P04', '23505'].includes((error as { code?: string }).code ?? '');
    if (!madeByAnother) throw error;
  }
}

/** Lets a role log in with the password given. Several processes may do so at once. */
export async function allowLogin(client: Client, role: string, password: string): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [alteringRoles]);
  try {
    const hasLogin = 'select from pg_authid where rolname = $1 and rolcanlogin and rolpassword is not null';
    if ((await client.query(hasLogin, [role])).rowCount) return;
    const [name, secret] = [client.escapeIdentifier(role), client.escapeLiteral(password)];
    await client.query(`alter role ${name} with login password ${secret}`);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [alteringRoles]);
  }
}
