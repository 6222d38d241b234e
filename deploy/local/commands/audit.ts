import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportRecord } from '@cloudhal/audit-service/export';
import { formatReport } from '@cloudhal/audit-service/report';
import { verifyRecord } from '@cloudhal/audit-service/verify';
import { urlWithPassword } from '@cloudhal/shared/connection-url';
import { type Database, openDatabase } from '@cloudhal/shared/database';
import { loadVerifier } from '@cloudhal/shared/secrets';
import { CommandError } from '../command-error.ts';
import { withHouse } from '../house.ts';
import { findDataFolder } from '../project.ts';
import { checkpointKeys } from '../secret-files.ts';

type Options = { data: string; site?: string };

/** Recomputes the record: exit 0 where it is whole, 1 where it is not. */
export async function verify(options: Options & { checkpoints?: string; pubkey?: string }): Promise<void> {
  const report = await withRecord(options.data, (database) =>
    verifyRecord(database, { ...(options.site && { site: options.site }), ...signedBy(options) }),
  );
  process.stdout.write(formatReport(report));
  if (!report.ok) process.exitCode = 1;
}

export async function exportAudit(options: Options & { format: 'jsonl' | 'csv' }): Promise<void> {
  await withRecord(options.data, (database) =>
    exportRecord(database, { format: options.format, ...(options.site && { site: options.site }) }, process.stdout),
  );
}

/** The record of a deployment where CLOUDHAL_DATABASE_URL names one (as the role of audit-service), else of this folder. */
async function withRecord<T>(data: string, work: (database: Database) => Promise<T>): Promise<T> {
  const { CLOUDHAL_DATABASE_PASSWORD_FILE: passwordFile } = process.env;
  const url = deploymentUrl();
  if (url === undefined) return withHouse(findDataFolder(data), ({ database }) => work(database));
  const database = openDatabase({
    url: urlWithPassword(url, passwordFile),
    name: 'cloudhal-audit',
    statementTimeoutMs: 60_000,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

function deploymentUrl(): string | undefined {
  return process.env.CLOUDHAL_DATABASE_URL || undefined;
}

/** Where the checkpoints are and what they were signed with: as said, else those of this folder for its own record. */
function signedBy(options: { data: string; checkpoints?: string; pubkey?: string }): {
  checkpoints?: string;
  publicKeys?: KeyObject[];
} {
  if ((options.checkpoints === undefined) !== (options.pubkey === undefined)) {
    throw new CommandError('--checkpoints and --pubkey go together.', { exitCode: 2 });
  }
  if (options.checkpoints !== undefined && options.pubkey !== undefined) {
    return { checkpoints: options.checkpoints, publicKeys: readPublicKeys(options.pubkey) };
  }
  if (deploymentUrl() !== undefined) return {};
  const own = { checkpoints: join(options.data, 'checkpoints'), secrets: join(options.data, 'secrets') };
  if (!existsSync(own.checkpoints) || !existsSync(own.secrets)) return {};
  return { checkpoints: own.checkpoints, publicKeys: readPublicKeys(join(own.secrets, checkpointKeys)) };
}

function readPublicKeys(file: string): KeyObject[] {
  const content = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return /^-----BEGIN /m.test(content) ? [createPublicKey(content)] : [...loadVerifier(file).values()];
}
