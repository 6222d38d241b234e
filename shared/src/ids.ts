import { v7 } from 'uuid';

/** A UUIDv7: ids made later in one process sort later. */
export function uuidv7(): string {
  return v7();
}

// Crockford's alphabet in lower case: the text sorts as the bits do.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** `<prefix>_<26 characters>`: the 128 bits of a UUIDv7 in base32. */
export function newId(prefix: string): string {
  let bits = BigInt(`0x${v7().replaceAll('-', '')}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = alphabet[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `${prefix}_${text}`;
}

const nodeId = /^[a-z]{2}_[0-9a-hjkmnp-tv-z]{26}$/;

/** Whether the whole text is an id that `newId` could have made. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && nodeId.test(value);
}
