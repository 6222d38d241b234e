import { fail } from '@cloudhal/shared/errors';

/** Where the next page begins: the sort values of the last row, opaque to whoever carries it. */
export function toCursor(...values: (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

type Values = { string: string; number: number; integer: number };

/** The values of a cursor that `toCursor` made with the same types; anything else is `validation_failed`. */
export function fromCursor<T extends (keyof Values)[]>(cursor: string, ...types: T): { [I in keyof T]: Values[T[I]] } {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (
      Array.isArray(values) &&
      values.length === types.length &&
      values.every((value, i) => (types[i] === 'integer' ? Number.isSafeInteger(value) : typeof value === types[i]))
    ) {
      return values as never;
    }
  } catch {
    // Falls through: not ours.
  }
  throw fail('validation_failed', { path: 'cursor', expected: 'the cursor of the last page, unchanged' });
}

/** Cuts the one row that was read too many, and says where to go on. */
export function paged<R>(rows: R[], limit: number, cursorOf: (row: R) => string): { items: R[]; cursor?: string } {
  if (rows.length <= limit) return { items: rows };
  const items = rows.slice(0, limit);
  return { items, cursor: cursorOf(items.at(-1)!) };
}
