import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The canonical JSON (RFC 8785) of a value that `parseJson` accepts; equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  const text = (canonicalize as unknown as (value: unknown) => string | undefined)(value);
  if (text === undefined) throw new TypeError('This value has no JSON form.');
  return text;
}

/** SHA-256 of the canonical JSON, in hex. */
export function contentHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
