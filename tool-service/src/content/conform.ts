import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { compile } from '@cloudhal/shared/schema';

// Schemas that come from the store are new objects each time; the compiler knows a schema by its object.
const schemas = new Map<string, object>();

/** Checks a value against a reviewed schema; the error names the place under `path`. */
export function conform(schema: object, value: unknown, path: string): void {
  const check: (value: unknown) => void = compile(schema);
  try {
    check(value);
  } catch (error) {
    if (!(error instanceof CloudhalError) || error.code !== 'validation_failed') throw error;
    const { path: inner, expected } = error.body.details as { path: string; expected: string };
    throw fail('validation_failed', { path: under(path, inner), expected });
  }
}

/** The one object that stands for all equal schemas. */
export function interned(schema: object): object {
  const key = JSON.stringify(schema);
  const known = schemas.get(key);
  if (known) return known;
  if (schemas.size >= 500) schemas.clear();
  schemas.set(key, schema);
  return schema;
}

function under(path: string, inner: string): string {
  if (inner === 'arguments') return path;
  return inner.startsWith('[') ? `${path}${inner}` : `${path}.${inner}`;
}
