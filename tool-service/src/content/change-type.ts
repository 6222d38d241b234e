import { fail } from '@cloudhal/shared/errors';
import { type ContentTypeBody, nodeKinds } from '@cloudhal/shared/site/shapes';
import type { View } from '../graph/view.ts';
import { conform } from './conform.ts';
import { type FieldSchema, fieldSchema } from './field-schema.ts';
import { referencedKinds } from './references.ts';
import { checkTopSlug } from './slug.ts';

export type FieldOp = {
  op: 'add' | 'change' | 'remove';
  field: string;
  schema?: Record<string, unknown>;
  required?: boolean;
  /** The field's new name. */
  to?: string;
};

/** How the entries of a type follow a change of it. */
export type FieldMoves = {
  /** Values for entries that have none, by the field's new name. */
  fill: Record<string, unknown>;
  /** Old name → new name; undefined where the field goes. */
  moved: Map<string, string | undefined>;
  /** Fields whose values are to name nodes from now on. */
  named: Set<string>;
};

const mostFields = 60;
const FieldName = { type: 'string', pattern: '^[a-z][a-zA-Z0-9]{0,63}$' };
const TypeName = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,39}$' };

/** The name of a type: no kind of node, and no name that every object has a member of. */
export function checkTypeName(name: string): void {
  conform(TypeName, name, 'type');
  if ((nodeKinds as readonly string[]).includes(name) || name === 'section' || name in {})
    throw fail('validation_failed', { path: 'type', expected: `another name: "${name}" is taken` });
}

/** Where the entries of a new type live: a first word of paths that nothing else has. */
export async function checkPrefix(view: View, prefix: string): Promise<string> {
  const path = 'pathPrefix';
  if (!prefix.startsWith('/')) throw fail('validation_failed', { path, expected: 'one word after a slash: /events' });
  const word = checkTopSlug(prefix.slice(1), path);
  const { locales } = await view.head();
  if (locales.includes(word)) throw fail('validation_failed', { path, expected: `not the locale ${word}` });
  const { items } = await view.list({ kind: 'content_type', limit: 100 });
  const taken = items.find(({ body }) => body.pathPrefix === prefix);
  if (taken) throw fail('slug_taken', { slug: prefix, by: `the type ${taken.body.name}` });
  const page = await view.atPath(prefix);
  if (page) throw fail('slug_taken', { slug: prefix, by: page.id });
  return prefix;
}

/** The fields of a type with every op applied in order, and what that means for its entries. */
export async function changeFields(
  view: View,
  type: ContentTypeBody,
  ops: readonly FieldOp[],
): Promise<{ fields: Record<string, unknown>; order: string[] } & FieldMoves> {
  const fields = structuredClone(type.fields) as { properties: Record<string, FieldSchema>; required?: string[] };
  const known = Object.keys(fields.properties);
  const ordered = (type.order ?? []).filter((name) => known.includes(name));
  const properties = new Map([...new Set([...ordered, ...known])].map((name) => [name, fields.properties[name]!]));
  const required = new Set(fields.required ?? []);
  const moves: FieldMoves = { fill: {}, moved: new Map(), named: new Set() };
  for (const [index, op] of ops.entries()) await applyOp(view, type, op, `ops[${index}]`, properties, required, moves);
  if (properties.size > mostFields) throw fail('limit_exceeded', { what: 'The number of fields', max: mostFields });
  const changed = { ...fields, properties: Object.fromEntries(properties), required: [...required] };
  return { fields: changed, order: [...properties.keys()], ...moves };
}

async function applyOp(
  view: View,
  type: ContentTypeBody,
  { op, field, schema: given, required: isRequired, to }: FieldOp,
  path: string,
  properties: Map<string, FieldSchema>,
  required: Set<string>,
  { fill, moved, named }: FieldMoves,
): Promise<void> {
  const refuse = (member: string, expected: string) =>
    fail('validation_failed', { path: `${path}.${member}`, expected });
  if (field === 'title') throw refuse('field', 'another field: every type has a title as it is');
  checkFieldName(field, `${path}.field`);
  if (op === 'add' && properties.has(field)) throw refuse('field', `a new name: ${type.name} has "${field}" already`);
  if (op !== 'add' && !properties.has(field))
    throw refuse('field', `a field of ${type.name}: ${[...properties.keys()].join(', ')}`);
  if (op === 'add' && !given) throw refuse('schema', 'the schema of the new field, such as {"type": "string"}');
  if (op !== 'change' && to !== undefined) throw refuse('to', 'nothing: only change gives a field another name');
  if (op === 'remove') {
    if (given || isRequired !== undefined) throw refuse('op', 'remove without schema and required');
    properties.delete(field);
    required.delete(field);
    delete fill[field];
    named.delete(field);
    follow(moved, field, undefined);
    return;
  }
  if (op === 'change' && !given && isRequired === undefined && to === undefined)
    throw refuse('schema', 'what to change: schema, required, or to');
  const name = to ?? field;
  if (to !== undefined) {
    checkFieldName(to, `${path}.to`);
    if (properties.has(to)) throw refuse('to', `a new name: ${type.name} has "${to}" already`);
    rename(properties, field, to);
    follow(moved, field, to);
    if (required.delete(field)) required.add(to);
    if (named.delete(field)) named.add(to);
    if (Object.hasOwn(fill, field)) {
      fill[to] = fill[field];
      delete fill[field];
    }
  }
  if (given) {
    const { schema, fill: value } = fieldSchema(given, `${path}.schema`);
    await checkTarget(view, schema, `${path}.schema`);
    properties.set(name, schema);
    if (value !== undefined) fill[name] = value;
    if ((schema.references ?? schema.items?.references) !== undefined) named.add(name);
    else named.delete(name);
  }
  if (isRequired === true) required.add(name);
  if (isRequired === false) required.delete(name);
}

function checkFieldName(name: string, path: string): void {
  conform(FieldName, name, path);
  if (name in {}) throw fail('validation_failed', { path, expected: `another name: "${name}" is taken` });
}

/** What a reference may lead to: a kind of nodes, or entries of one type. */
async function checkTarget(view: View, { references, items }: FieldSchema, path: string): Promise<void> {
  const target = references ?? items?.references;
  if (target === undefined || (referencedKinds as string[]).includes(target)) return;
  const { items: types } = await view.list({ kind: 'content_type', limit: 100 });
  const names = types.map(({ body }) => body.name);
  if (!names.includes(target)) {
    const expected = `one of ${[...referencedKinds, ...names].join(', ')}`;
    throw fail('validation_failed', { path: `${path}.references`, expected });
  }
}

/** Notes where the values of a field of the stored entries go, over several ops. */
function follow(moved: FieldMoves['moved'], field: string, to: string | undefined): void {
  const origin = [...moved].find(([, name]) => name === field)?.[0] ?? field;
  moved.set(origin, to);
}

/** Keeps the field's place in the order. */
function rename(properties: Map<string, FieldSchema>, field: string, to: string): void {
  const entries = [...properties];
  properties.clear();
  for (const [name, schema] of entries) properties.set(name === field ? to : name, schema);
}
