import { isUtf8 } from 'node:buffer';
import { fail } from './errors.ts';

export type ParseLimits = {
  /** Default 64. */
  maxDepth?: number;
  /** Object members in the whole document; default 10,000. */
  maxKeys?: number;
};

/**
 * Parses JSON that a stranger sent. Refuses what `JSON.parse` takes and later code would misread: deep nesting, repeated
 * keys, `__proto__`, integers beyond 2^53 - 1, infinities, lone surrogates, NUL, and bytes that are not UTF-8.
 */
export function parseJson(text: string | Uint8Array, limits: ParseLimits = {}): unknown {
  const source = typeof text === 'string' ? text : decode(text);
  let suspicious = typeof text === 'string' && /\p{Surrogate}/u.test(text);
  suspicious = scan(source, limits.maxDepth ?? 64, limits.maxKeys ?? 10_000) || suspicious;
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw malformed(reasonOf(error));
  }
  if (suspicious) checkValues(value);
  return value;
}

function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw malformed('it is not UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

const quote = 34;
const backslash = 92;

/**
 * Reads the structure only; what is no JSON at all is `JSON.parse`'s to refuse. Says whether the values need a closer
 * look: an escaped surrogate or NUL, or a number too long to be exact for sure.
 */
function scan(source: string, maxDepth: number, maxKeys: number): boolean {
  if (source.charCodeAt(0) === 0xfeff) throw malformed('it begins with a byte order mark');
  // For each open bracket: the keys seen so far of an object, undefined of an array.
  const open: (Set<string> | undefined)[] = [];
  let keys: Set<string> | undefined;
  let keyExpected = false;
  let count = 0;
  let suspicious = false;

  for (let i = 0; i < source.length; i++) {
    const c = source.charCodeAt(i);
    if (c === quote) {
      const end = endOfString(source, i);
      if (end < 0) return true;
      const raw = source.slice(i + 1, end);
      const escaped = raw.includes('\\');
      if (escaped && /\\u(?:[dD][89a-fA-F]|0000)/.test(raw)) suspicious = true;
      if (keyExpected && keys) {
        const key = escaped ? unescapeKey(raw) : raw;
        if (key === '__proto__') throw malformed('it has a key "__proto__"');
        if (keys.has(key)) throw malformed('an object has the same key twice');
        keys.add(key);
        if (++count > maxKeys) throw fail('limit_exceeded', { what: 'The number of JSON keys', max: maxKeys });
        keyExpected = false;
      }
      i = end;
    } else if (c === 123 /* { */ || c === 91 /* [ */) {
      keys = c === 123 ? new Set() : undefined;
      keyExpected = c === 123;
      open.push(keys);
      if (open.length > maxDepth) throw fail('json_too_deep', { max: maxDepth });
    } else if (c === 125 /* } */ || c === 93 /* ] */) {
      open.pop();
      keys = open.at(-1);
      keyExpected = false;
    } else if (c === 44 /* , */) {
      keyExpected = keys !== undefined;
    } else if ((c >= 48 && c <= 57) || c === 45 /* - */) {
      const end = endOfNumber(source, i);
      if (end - i >= 16 || /[eE]/.test(source.slice(i, end))) suspicious = true;
      i = end - 1;
    }
  }
  return suspicious;
}

function endOfString(source: string, start: number): number {
  for (let end = source.indexOf('"', start + 1); end >= 0; end = source.indexOf('"', end + 1)) {
    let slashes = 0;
    while (source.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

function endOfNumber(source: string, start: number): number {
  let end = start + 1;
  for (; end < source.length; end++) {
    const c = source.charCodeAt(end);
    const inNumber = (c >= 48 && c <= 57) || c === 46 || c === 43 || c === 45 || c === 69 || c === 101;
    if (!inNumber) break;
  }
  return end;
}

function unescapeKey(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch (error) {
    throw malformed(reasonOf(error));
  }
}

/** Refuses values that `parseJson` would not give: texts with NUL or lone surrogates, numbers that are not exact. */
export function checkValues(value: unknown, path = ''): void {
  if (typeof value === 'string') checkText(value, path);
  else if (typeof value === 'number') {
    const exact = Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value));
    if (!exact) throw fail('validation_failed', { path: path || 'the value', expected: 'a number below 2^53' });
  } else if (Array.isArray(value)) for (const [i, item] of value.entries()) checkValues(item, `${path}[${i}]`);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      checkText(key, path);
      checkValues(member, path === '' ? key : `${path}.${key}`);
    }
  }
}

function checkText(text: string, path: string): void {
  if (/\p{Surrogate}|\0/u.test(text)) throw fail('invalid_unicode', { path: path || 'the top' });
}

function malformed(reason: string) {
  return fail('malformed_json', { reason });
}

/** Where it broke; the parser's own text would repeat the document. */
function reasonOf(error: unknown): string {
  const position = /position (\d+)/.exec((error as Error).message)?.[1];
  return position === undefined ? 'it ends too early or has text that JSON does not allow' : `at position ${position}`;
}
