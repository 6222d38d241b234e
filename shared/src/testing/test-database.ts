import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '../database.ts';
import { houseFile } from '../house-file.ts';
import { migrate, prepareDatabase, serviceRoles } from '../migrate.ts';

export type TestDatabase = {
  url: string;
  /** As the role that migrates. */
  database: Database;
  /** The URL with which a service's role sees this database. */
  urlAs(schema: keyof typeof serviceRoles): string;
  drop(): Promise<void>;
};

/** A fresh database on the server of CLOUDHAL_TEST_POSTGRES_URL, with the schemas, the roles and the shared tables. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = process.env.CLOUDHAL_TEST_POSTGRES_URL;
  if (!server) throw new Error('CLOUDHAL_TEST_POSTGRES_URL is not set; run the tests with vitest, which sets it.');
  const name = `cloudhal_test_${randomBytes(8).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, name: 'test' });
  await prepareDatabase(database);
  await migrate(database, 'shared', houseFile('shared/migrations'));
  return {
    url: url.href,
    database,
    urlAs(schema) {
      const asRole = new URL(url);
      asRole.searchParams.set('options', `-c role=${serviceRoles[schema]}`);
      return asRole.href;
    },
    async drop() {
      await database.close();
      await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const server = openDatabase({ url, name: 'test', max: 1, statementTimeoutMs: 60_000 });
  try {
    await server.query(statement);
  } finally {
    await server.close();
  }
}
