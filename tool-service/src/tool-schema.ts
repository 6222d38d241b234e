import type { JsonSchema } from '@cloudhal/shared/tool';
import type { TObject, TSchema } from 'typebox';

/** What surrounds a tool's data: pages of something read, or what a change did. */
export type Form = 'page' | 'change';

const texts = { type: 'array', items: { type: 'string' } };
const around: Record<Form, JsonSchema> = {
  page: { cursor: { type: 'string' }, truncated: { type: 'boolean' }, warnings: texts, next: texts },
  change: {
    rev: { type: 'integer' },
    snapshot: { type: 'string' },
    changed: { type: 'boolean' },
    warnings: texts,
    next: texts,
  },
};

const confirmToken = {
  type: 'string',
  maxLength: 4096,
  description: 'From approval_required.',
};

/** The input schema of a tool as clients get it: plain JSON Schema that every client accepts. */
export function inputSchema(input: TObject, mayNeedPerson: boolean): JsonSchema {
  const schema = plain(input);
  if (mayNeedPerson) schema.properties = { ...(schema.properties as object), confirmToken };
  return { ...schema, additionalProperties: false };
}

export function outputSchema(data: TSchema, form: Form): JsonSchema {
  const required = form === 'change' ? ['data', 'changed'] : ['data'];
  return { type: 'object', required, properties: { data: plain(data), ...around[form] } };
}

/** A copy as plain JSON; each object that names its members also says which are required. */
function plain(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.type === 'object' && value.properties && !value.required ? { ...value, required: [] } : value,
  );
}
