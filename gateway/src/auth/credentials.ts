import type { IncomingMessage } from 'node:http';
import { fail } from '@cloudhal/shared/errors';

/** The bearer of `Authorization`; `undefined` without the header, and `''` for another scheme or none. */
function bearerOf(header: string): string {
  return /^bearer +([^\s,]+) *$/i.exec(header)?.[1] ?? '';
}

/**
 * The one credential that a request carries, from `Authorization: Bearer` or `x-api-key`. The same one in both headers is
 * fine; two that differ throw `conflicting_credentials`, since guessing which is meant could run a call as somebody else.
 */
export function credentialOf(request: Pick<IncomingMessage, 'headersDistinct'>): string | undefined {
  const { authorization = [], 'x-api-key': apiKey = [] } = request.headersDistinct;
  const sent = new Set([...authorization.map(bearerOf), ...apiKey.map((value) => value.trim())]);
  if (sent.size > 1) throw fail('conflicting_credentials');
  return [...sent][0];
}
