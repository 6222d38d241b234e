import { conform, interned } from './conform.ts';

type Schema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  minItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};

/** The smallest value that the schema takes; none where it cannot be told from the schema. */
export function exampleOf(schema: object): unknown {
  const example = smallest(schema as Schema);
  try {
    conform(interned(schema), example, 'example');
    return example;
  } catch {
    return undefined;
  }
}

function smallest(schema: Schema): unknown {
  const given = schema.const ?? schema.enum?.[0] ?? schema.examples?.[0] ?? schema.default;
  if (given !== undefined) return given;
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, smallest(schema.properties?.[name] ?? {})]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => smallest(schema.items ?? {}));
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return text(schema);
    default:
      return null;
  }
}

function text({ format, pattern = '', minLength = 0 }: Schema): string {
  if (format === 'date' || pattern.includes('\\d{4}-\\d{2}-\\d{2}')) return '2026-01-31';
  if (format === 'date-time') return '2026-01-31T09:00:00Z';
  if (format === 'uri') return 'https://example.org/';
  return 'Some text'.padEnd(minLength, '.');
}
