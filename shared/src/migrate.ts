import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Queryable } from './database.ts';

export const schemas = ['shared', 'gateway', 'policy', 'tools', 'audit'] as const;
export type Schema = (typeof schemas)[number];

/** The login role that each service uses, by the schema it owns the use of. */
export const serviceRoles = {
  gateway: 'cloudhal_gateway',
  policy: 'cloudhal_policy',
  tools: 'cloudhal_tools',
  audit: 'cloudhal_audit',
} as const;

/** Erases and drops what the audit role may not. */
export const maintenanceRole = 'cloudhal_maintenance';

// A change to a large table may take long; so may waiting for another process that migrates.
const timeoutMs = 600_000;
const lockId = 7_309_428_001;

/**
 * Applies the numbered SQL files of a folder that were not applied yet, each in a transaction of its own, and says which.
 * Any number of processes may do so at once. A file that was edited after it was applied is refused.
 */
export async function migrate(database: Database, schema: Schema, folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort();
  const applied: string[] = [];
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    if (await database.transaction((tx) => apply(tx, schema, file, text))) applied.push(file);
  }
  return applied;
}

async function apply(tx: Queryable, schema: Schema, file: string, text: string): Promise<boolean> {
  await takeLock(tx);
  await tx.query(`CREATE TABLE IF NOT EXISTS ${schema}.migration
    (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const sha256 = createHash('sha256').update(text).digest('hex');
  // The row first: if two processes came this far, one of them stops here.
  const inserted = await tx.query(
    `INSERT INTO ${schema}.migration (name, sha256) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name`,
    [file, sha256],
  );
  if (inserted.length > 0) {
    await tx.query(text, [], { timeoutMs });
    return true;
  }
  const [before] = await tx.query(`SELECT sha256 FROM ${schema}.migration WHERE name = $1`, [file]);
  if (before?.sha256 !== sha256) throw new Error(`${schema}/${file} was changed after it was applied: add a new file.`);
  return false;
}

/**
 * Makes what migrations stand on: a schema for each service and a role that may use it. Roles that exist are left as they
 * are, so the migrating role needs CREATEROLE only where nobody made them before.
 */
export async function prepareDatabase(database: Database): Promise<void> {
  const roles = [...Object.values(serviceRoles), maintenanceRole];
  await database.transaction(async (tx) => {
    await takeLock(tx);
    for (const role of roles) await tx.query(createRole(role));
    for (const schema of schemas) await tx.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    // Blobs by hash: the gateway takes uploads in, tool-service reads them.
    await tx.query('CREATE SCHEMA IF NOT EXISTS media');
    for (const [schema, role] of Object.entries(serviceRoles)) {
      await tx.query(`GRANT USAGE ON SCHEMA ${schema}, shared TO ${role}`);
      await tx.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${role}`);
    }
    await tx.query(`GRANT USAGE ON SCHEMA media TO ${serviceRoles.gateway}, ${serviceRoles.tools}`);
    await tx.query(`GRANT USAGE ON SCHEMA audit TO ${maintenanceRole}`);
  });
}

async function takeLock(tx: Queryable): Promise<void> {
  await tx.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
  await tx.query('SELECT pg_advisory_xact_lock($1)', [lockId], { timeoutMs });
}

/** Without a password: whoever runs the deployment sets one. Roles belong to the whole server, so another database may be faster. */
function createRole(role: string): string {
  return `DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
      CREATE ROLE ${role} LOGIN;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$`;
}
