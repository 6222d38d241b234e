import type { JsonSchema } from '@cloudhal/shared/tool';
import fc from 'fast-check';

type Schema = JsonSchema & {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};
export type Args = Record<string, unknown>;
/** Values that a string at this place may well have, such as ids that there are. */
export type Known = (path: string) => readonly string[];

const odd = [
  'x',
  '0',
  'null',
  'en',
  'de',
  'article',
  'text',
  '/',
  '/about',
  '2026-01-01',
  "'; --",
  '%00',
  '<script>',
  '\u202eevil',
  '\u{1f600}',
  '../..',
  '__proto__',
];
const short = fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }));

/** Arguments that fit a tool's schema and its hints about what they are for, required ones and any of the others. */
export function argumentsOf(inputSchema: JsonSchema, known: Known = () => []): fc.Arbitrary<Args> {
  return any(inputSchema as Schema, '', known) as fc.Arbitrary<Args>;
}

function any(schema: Schema, path: string, known: Known): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return objectOf(schema, path, known);
    case 'array': {
      const { minItems = 0, items = {} } = schema;
      const length = { minLength: minItems, maxLength: minItems + 2 };
      // Nobody says one of a few words twice.
      return items.enum
        ? fc.uniqueArray(any(items, path, known), length)
        : fc.array(any(items, `${path}[]`, known), length);
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = minimum + 20 } = schema;
      return fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20) });
    }
    case 'boolean':
      return fc.boolean();
    case 'string': {
      if (path === 'base64') return fc.base64String({ minLength: 4, maxLength: 40 });
      if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
      const there = known(path);
      return there.length > 0 ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...there) }, short) : short;
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(schema: Schema, path: string, known: Known): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(properties);
  const members = fc.record(
    Object.fromEntries(names.map((name) => [name, any(properties[name]!, path ? `${path}.${name}` : name, known)])),
    { requiredKeys: required as never[], noNullPrototype: true },
  );
  // Listings say only at the top that there are no others.
  if (additionalProperties === false || (additionalProperties !== true && names.length > 0)) return members;
  const keys = known(`${path}.*`);
  const key = keys.length > 0 ? fc.constantFrom(...keys) : fc.string({ minLength: 1, maxLength: 8 });
  const free = fc.dictionary(key, fc.oneof(short, fc.jsonValue({ maxDepth: 2 })), {
    maxKeys: 3,
    noNullPrototype: true,
  });
  return fc.tuple(free, members).map(([more, own]) => ({ ...more, ...(own as object) }));
}
