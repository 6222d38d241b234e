import { deploymentChain } from '@cloudhal/shared/audit-event';
import { fail } from '@cloudhal/shared/errors';
import type { View } from './access.ts';

/** The conditions of a search and their values; `?` stands for the next value. */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #parts: string[] = [];

  add(sql: string, ...values: unknown[]): void {
    let next = 0;
    this.#parts.push(
      sql.replaceAll('?', () => {
        this.values.push(values[next++]);
        return `$${this.values.length}`;
      }),
    );
  }

  /** Nothing that the view does not reach is even looked at. */
  addView({ chains, own, sitesOnly }: View): void {
    if (chains !== undefined) this.add('e.part = ANY(?)', chains);
    if (own !== undefined) this.add('(e.actor = ? OR e.behalf = ?)', own, own);
    if (sitesOnly) this.add('e.part <> ?', deploymentChain);
  }

  addTime(operator: '>=' | '<', path: string, text: string | undefined): void {
    if (text === undefined) return;
    const time = new Date(text);
    if (Number.isNaN(time.getTime())) throw fail('validation_failed', { path, expected: 'a time in ISO 8601' });
    this.add(`e.ts ${operator} ?::timestamptz`, time.toISOString());
  }

  /** Only what comes after the cursor's row, newest first. */
  addCursor(cursor: string | undefined): void {
    if (cursor === undefined) return;
    const [ts, part, seq] = openCursor(cursor);
    this.add('(e.ts, e.part, e.seq) < (?::timestamptz, ?, ?)', ts, part, seq);
  }

  toString(): string {
    return this.#parts.length === 0 ? 'true' : this.#parts.join(' AND ');
  }
}

export const newestFirst = 'e.ts DESC, e.part DESC, e.seq DESC';

/** The place of a row in a listing, newest first. */
export type Place = { at: string; part: string; seq: number };

export function cursorOf({ at, part, seq }: Place): string {
  return Buffer.from(JSON.stringify([at, part, seq])).toString('base64url');
}

function openCursor(cursor: string): [string, string, number] {
  try {
    const [ts, part, seq] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const valid = !Number.isNaN(Date.parse(ts)) && typeof part === 'string' && Number.isSafeInteger(seq);
    if (valid) return [new Date(ts).toISOString(), part.replaceAll('\0', ''), seq];
  } catch {
    // Falls through: whatever is wrong with it, it is no cursor of ours.
  }
  throw fail('validation_failed', { path: 'cursor', expected: 'the cursor of the page before' });
}
