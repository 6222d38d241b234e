import { fail } from '@cloudhal/shared/errors';

/** Named members with some set and some removed; the others stay. */
export function mergeFields(
  fields: Record<string, unknown>,
  set: Record<string, unknown> = {},
  unset: readonly string[] = [],
): Record<string, unknown> {
  for (const name of unset) {
    if (Object.hasOwn(set, name)) {
      throw fail('validation_failed', { path: `unset.${name}`, expected: 'a field that is not also set' });
    }
    if (!Object.hasOwn(fields, name)) {
      throw fail('validation_failed', { path: `unset.${name}`, expected: 'a field that the node has' });
    }
  }
  const kept = Object.entries(fields).filter(([name]) => !unset.includes(name));
  return Object.fromEntries([...kept, ...Object.entries(set)]);
}
