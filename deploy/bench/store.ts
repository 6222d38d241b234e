import { type Database, openDatabase } from '@cloudhal/shared/database';
import { migrateAll } from '../local/migrate-all.ts';

/** A migrated database of its own on a server, for what is measured without services. */
export async function openStore(server: string, name: string): Promise<Database> {
  const admin = openDatabase({ url: server, name: 'bench', max: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.close();
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, name: 'bench', statementTimeoutMs: 120_000 });
  await migrateAll(database);
  return database;
}
