import { createHash } from 'node:crypto';
import { canonicalJson } from '@cloudhal/shared/canonical-json';
import { fail } from '@cloudhal/shared/errors';

/** A body as it is stored, under the SHA-256 of its canonical JSON. Text that PostgreSQL cannot hold exactly is refused. */
export function addressBody(body: object): { hash: string; doc: string } {
  checkText(body, '');
  const doc = canonicalJson(body);
  return { hash: createHash('sha256').update(doc).digest('hex'), doc };
}

function checkText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) {
      throw fail('validation_failed', { path: path || 'the text', expected: 'no NUL characters' });
    }
    if (/[\uD800-\uDFFF]/u.test(value)) throw fail('invalid_unicode', { path: path || 'the text' });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkText(item, `${path}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      checkText(name, path);
      checkText(inner, path === '' ? name : `${path}.${name}`);
    }
  }
}
