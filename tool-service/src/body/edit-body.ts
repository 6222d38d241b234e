import { fail } from '@cloudhal/shared/errors';
import { bodyLimits } from './markdown.ts';
import { occurrences } from './occurrences.ts';

export type BodyEdit = {
  find: string;
  replace: string;
  /** How often `find` must occur; all of them are replaced. 1 when absent. */
  count?: number;
};

export const maxEdits = 200;

/** Exact-text edits, each on the result of the one before: all of them, or `match_failed` and none. */
export function editBody(markdown: string, edits: readonly BodyEdit[]): string {
  if (edits.length > maxEdits) throw fail('limit_exceeded', { what: 'The number of edits', max: maxEdits });
  let body = markdown;
  for (const [index, { find, replace, count = 1 }] of edits.entries()) {
    if (find === '')
      throw fail('validation_failed', { path: `edits[${index}].find`, expected: 'at least one character' });
    const found = occurrences(body, find);
    if (found.length !== count) {
      throw fail('match_failed', { found: found.length, expected: count, edit: index, ...hint(body, find) });
    }
    if (body.length + count * (replace.length - find.length) > bodyLimits.bytes) {
      throw fail('limit_exceeded', { what: 'The body', max: `${bodyLimits.bytes} bytes` });
    }
    body = replaceAt(body, found, find.length, replace);
  }
  return body;
}

function replaceAt(body: string, places: number[], length: number, replace: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(body.slice(from, place), replace);
    from = place + length;
  }
  parts.push(body.slice(from));
  return parts.join('');
}

/** The one mistake that cannot be seen in a text that was read: its line breaks. */
function hint(body: string, find: string): { hint?: string } {
  const other = find.includes('\r\n') ? find.replaceAll('\r\n', '\n') : find.replaceAll('\n', '\r\n');
  if (other === find || occurrences(body, other).length === 0) return {};
  return { hint: `The body ends its lines with ${other.includes('\r\n') ? '\\r\\n' : '\\n'}.` };
}
