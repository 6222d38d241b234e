import type { Queryable } from '@cloudhal/shared/database';
import type { View } from './access.ts';
import { csvHead, csvLine } from './csv.ts';
import { type Filter, listEntries } from './entries.ts';

/** A piece of an export: whole lines of text, of calls and events as the list of them has them. */
export async function exportEntries(
  database: Queryable,
  view: View,
  { format, ...filter }: Filter & { format: 'jsonl' | 'csv' },
): Promise<{ text: string; lines: number; cursor?: string }> {
  const { entries, cursor } = await listEntries(database, view, { ...filter, limit: 500 });
  const lines = entries.map(({ seq, event }) =>
    format === 'csv' ? csvLine(event.site, seq, event) : JSON.stringify({ chain: event.site, seq, event }),
  );
  const head = format === 'csv' && filter.cursor === undefined ? [csvHead] : [];
  return {
    text: [...head, ...lines].map((line) => `${line}\n`).join(''),
    lines: lines.length,
    ...(cursor !== undefined && { cursor }),
  };
}
