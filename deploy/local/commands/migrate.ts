import { urlWithPassword } from '@cloudhal/shared/connection-url';
import { openDatabase } from '@cloudhal/shared/database';
import { CommandError } from '../command-error.ts';
import { migrateAll } from '../migrate-all.ts';

/** Migrates a deployment's database as its owning role. */
export async function migrateDeployment(): Promise<void> {
  const { CLOUDHAL_MIGRATION_DATABASE_URL: url, CLOUDHAL_DATABASE_PASSWORD_FILE: passwordFile } = process.env;
  if (url === undefined || url === '') {
    throw new CommandError('Set CLOUDHAL_MIGRATION_DATABASE_URL to the database and the role that owns it.', {
      exitCode: 2,
    });
  }
  const database = openDatabase({
    url: urlWithPassword(url, passwordFile),
    name: 'cloudhal-migrate',
    statementTimeoutMs: 600_000,
  });
  try {
    const applied = await migrateAll(database);
    console.log(
      applied.length === 0 ? 'The database is up to date.' : applied.map((file) => `applied ${file}`).join('\n'),
    );
  } finally {
    await database.close();
  }
}
