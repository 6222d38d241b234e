import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { type AuditEvent, deploymentChain } from '@cloudhal/shared/audit-event';
import type { Database } from '@cloudhal/shared/database';
import { uuidv7 } from '@cloudhal/shared/ids';
import { tenant } from '@cloudhal/shared/policy';
import { appendEvents } from './append.ts';
import { readNotes } from './checkpoint-files.ts';
import { csvHead, csvLine } from './csv.ts';
import { ownService } from './entry.ts';
import { headsOf, parseEvent, rowsOf, storedNotes } from './verify.ts';
import type { Line } from './walk.ts';

export type ExportOptions = {
  /** One chain: a site's id, or `_deployment`. Default: all. */
  site?: string;
  from?: number;
  to?: number;
  /** `jsonl` (the default) can be verified without the database; `csv` is for reading. */
  format?: 'jsonl' | 'csv';
  /** The folder of the checkpoint files. Default: the copies in the database. */
  checkpoints?: string;
  /** Who exports, for the record. */
  actor?: AuditEvent['actor'];
};

/** The first line of an export. `heads` are those of the record; what `partial` names was left out on purpose. */
export type ExportHeader = {
  export: 'cloudhal.audit';
  v: 1;
  at: string;
  /** The one chain that was asked for. */
  site?: string;
  partial: { from: boolean; to: boolean };
  heads: Record<string, { seq: number; hash: string }>;
};

/**
 * Writes the record, oldest first in each chain; that it was exported is recorded before. JSON Lines are a header, the
 * checkpoints, and for each event its chain, number, hashes and, last, the exact text that was hashed.
 */
export async function exportRecord(database: Database, options: ExportOptions, out: Writable): Promise<void> {
  const { site, from = 1, to = Number.MAX_SAFE_INTEGER, format = 'jsonl' } = options;
  await recordExport(database, options);
  const notes = options.checkpoints === undefined ? await storedNotes(database) : await readNotes(options.checkpoints);
  const heads = await headsOf(database, site);
  if (format === 'csv') await write(out, csvHead);
  else {
    const partial = { from: from > 1, to: options.to !== undefined };
    await write(out, JSON.stringify(headerOf(heads, site, partial)));
    for (const chain of heads.keys()) {
      for (const note of notes.get(chain) ?? []) await write(out, JSON.stringify({ chain, checkpoint: note }));
    }
  }
  const lineOf = format === 'csv' ? readableLine : eventLine;
  for (const [chain, { last }] of heads) {
    for await (const row of rowsOf(database, chain, from, Math.min(to, last))) await write(out, lineOf(chain, row));
  }
}

function headerOf(
  heads: Awaited<ReturnType<typeof headsOf>>,
  site: string | undefined,
  partial: ExportHeader['partial'],
): ExportHeader {
  const known = [...heads].flatMap(([chain, { head }]) =>
    head === undefined ? [] : [[chain, { seq: head.seq, hash: head.hash.toString('hex') }] as const],
  );
  const at = new Date().toISOString();
  return {
    export: 'cloudhal.audit',
    v: 1,
    at,
    ...(site !== undefined && { site }),
    partial,
    heads: Object.fromEntries(known),
  };
}

function readableLine(chain: string, { seq, body }: Line): string {
  return csvLine(chain, seq, parseEvent(body) ?? {});
}

function eventLine(chain: string, { seq, prev, hash, body }: Line): string {
  const facts = JSON.stringify({ chain, seq, prev: prev.toString('hex'), hash: hash.toString('hex') });
  return `${facts.slice(0, -1)},"event":${body}}`;
}

async function recordExport(database: Database, { site, from, to, format, actor }: ExportOptions): Promise<void> {
  await appendEvents(database, {
    v: 1,
    event_id: uuidv7(),
    type: 'audit.export',
    tenant,
    site: site ?? deploymentChain,
    actor: actor ?? { type: 'service', id: 'command-line' },
    details: { format: format ?? 'jsonl', ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
    ts: new Date().toISOString(),
    service: ownService,
  });
}

async function write(out: Writable, line: string): Promise<void> {
  if (!out.write(`${line}\n`)) await once(out, 'drain');
}
