import type { Database } from '@cloudhal/shared/database';
import { houseFile } from '@cloudhal/shared/house-file';
import { migrate, prepareDatabase } from '@cloudhal/shared/migrate';

const folders = [
  ['shared', 'shared/migrations'],
  ['gateway', 'gateway/migrations'],
  ['policy', 'policy-service/migrations'],
  ['tools', 'tool-service/migrations'],
  ['audit', 'audit-service/migrations'],
] as const;

/** Brings every schema to this version; says which files were applied, as `schema/file`. */
export async function migrateAll(database: Database): Promise<string[]> {
  await prepareDatabase(database);
  const applied: string[] = [];
  for (const [schema, folder] of folders) {
    const files = await migrate(database, schema, houseFile(folder));
    applied.push(...files.map((file) => `${schema}/${file}`));
  }
  return applied;
}
