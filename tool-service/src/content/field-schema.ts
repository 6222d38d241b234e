import { fail } from '@cloudhal/shared/errors';
import { conform } from './conform.ts';

/** The schema of one field, as far as a type may ask for things: plain values, lists of them, and other nodes by name. */
export type FieldSchema = {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  title?: string;
  description?: string;
  enum?: (string | number)[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
  references?: string;
  items?: FieldSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  /** What entries get that have no value yet. */
  default?: unknown;
};

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const length = (maximum: number) => ({ type: 'integer', minimum: 0, maximum });

/** No patterns and no schemas of others: a type is written by whoever may propose it, and checked against every entry. */
const value = {
  title: text(100),
  description: text(500),
  enum: { type: 'array', minItems: 1, maxItems: 100, uniqueItems: true, items: { type: ['string', 'number'] } },
  minLength: length(100_000),
  maxLength: length(100_000),
  minimum: { type: 'number' },
  maximum: { type: 'number' },
  format: { enum: ['date', 'date-time', 'uri', 'email'] },
  references: text(64),
};
const Value = {
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: { type: { enum: ['string', 'integer', 'number', 'boolean'] }, ...value },
};
const Field = {
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: {
    type: { enum: ['string', 'integer', 'number', 'boolean', 'array'] },
    ...value,
    items: Value,
    minItems: length(200),
    maxItems: length(200),
    uniqueItems: { type: 'boolean' },
    default: {},
  },
};

const only: Record<string, readonly string[]> = {
  minLength: ['string'],
  maxLength: ['string'],
  format: ['string'],
  references: ['string'],
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  enum: ['string', 'integer', 'number'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
};

/** A field's schema as it is stored, and the value that entries without one get. */
export function fieldSchema(given: unknown, path: string): { schema: FieldSchema; fill: unknown } {
  conform(Field, given, path);
  const { default: fill, ...schema } = given as FieldSchema;
  checkKeywords(schema, path);
  if (schema.type === 'array' && !schema.items)
    throw fail('validation_failed', { path: `${path}.items`, expected: 'what the list holds' });
  const stored = withLimits(schema);
  if (fill !== undefined && stored.references === undefined && stored.items?.references === undefined)
    conform(stored, fill, `${path}.default`);
  return { schema: stored, fill };
}

function checkKeywords(schema: FieldSchema, path: string): void {
  const odd = Object.keys(schema).find((name) => Object.hasOwn(only, name) && !only[name]!.includes(schema.type));
  if (odd !== undefined) {
    throw fail('validation_failed', { path: `${path}.${odd}`, expected: `it is only for ${only[odd]!.join(' or ')}` });
  }
  const { references, format, enum: choices, items } = schema;
  if (references !== undefined && (format !== undefined || choices))
    throw fail('validation_failed', { path: `${path}.references`, expected: 'a reference without format and enum' });
  const kind = schema.type === 'string' ? 'string' : 'number';
  if (choices?.some((choice) => typeof choice !== kind || (typeof choice === 'string' && choice.length > 1000)))
    throw fail('validation_failed', { path: `${path}.enum`, expected: `values of type ${schema.type}` });
  for (const [least, most] of [
    ['minLength', 'maxLength'],
    ['minimum', 'maximum'],
    ['minItems', 'maxItems'],
  ] as const) {
    if ((schema[least] ?? 0) > (schema[most] ?? Number.POSITIVE_INFINITY) && schema[least] !== undefined)
      throw fail('validation_failed', { path: `${path}.${least}`, expected: `no more than ${most}` });
  }
  if (items) checkKeywords(items, `${path}.items`);
}

/** Every text and every list ends somewhere. */
function withLimits(schema: FieldSchema): FieldSchema {
  if (schema.type === 'string' && !schema.enum) return { maxLength: schema.references ? 64 : 2_000, ...schema };
  if (schema.type !== 'array') return schema;
  return { maxItems: 100, ...schema, items: withLimits(schema.items!) };
}
