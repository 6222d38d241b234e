import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { cut } from './cut.ts';
import { isDay } from './day.ts';
import { CloudhalError, fail } from './errors.ts';
import { parseJson } from './parse-json.ts';

// Never allErrors: a hostile document would make the report the attack. Types are checked by the compiler's own rules.
// Verbose: an error knows the schema that it comes from, whose descriptions say what is missing.
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, logger: false, verbose: true });
const time = /^T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const formats: Record<string, RegExp | ((text: string) => boolean)> = {
  date: isDay,
  'date-time': (text) => isDay(text.slice(0, 10)) && time.test(text.slice(10)),
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email: /^[^\s@<>"]{1,64}@[^\s@<>"]{1,255}$/,
  uri: /^[a-z][a-z0-9+.-]{0,31}:[^\s<>"]+$/i,
};
for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
// Says what a text names; whoever knows the site looks it up.
ajv.addKeyword({ keyword: 'references', schemaType: 'string' });

const validators = new WeakMap<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  let validator = validators.get(schema);
  if (!validator) {
    validator = ajv.compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

/** A check of values against a schema, compiled once for each schema object. It throws `validation_failed`. */
export function compile<T = unknown>(schema: object): (value: unknown) => asserts value is T {
  const validator = validatorOf(schema);
  return (value) => {
    if (!validator(value)) throw explain(validator.errors ?? []);
  };
}

/** The error that says the most: the one deepest in the value. Branches of a union stand before the union itself. */
function explain(errors: ErrorObject[]): CloudhalError {
  const last = errors.at(-1);
  if (!last) return fail('validation_failed', { path: 'arguments', expected: 'a valid value' });
  if (last.keyword !== 'anyOf' && last.keyword !== 'oneOf') return describe(last);
  const depth = (error: ErrorObject) => pathOf(error).split('.').length + (error.instancePath === '' ? 0 : 1);
  const deepest = errors.slice(0, -1).reduce((a, b) => (depth(b) > depth(a) ? b : a), last);
  const choices = errors.filter((e) => e.keyword === 'const' && e.instancePath === last.instancePath);
  if (deepest.instancePath.length > last.instancePath.length) return describe(deepest);
  if (choices.length > 0 && choices.length === errors.length - 1) {
    const values = choices.map((choice) => JSON.stringify(choice.params.allowedValue)).join(', ');
    return fail('validation_failed', { path: pathOf(last), expected: `one of ${values}` });
  }
  return describe(deepest === last ? last : deepest);
}

function describe(error: ErrorObject): CloudhalError {
  return fail('validation_failed', { path: pathOf(error), expected: expectedBy(error) });
}

/** `set.title`, `sections[2].id`; a missing or surplus member is named itself. */
function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const names = instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') names.push(params.missingProperty);
  if (keyword === 'additionalProperties') names.push(params.additionalProperty);
  if (keyword === 'propertyNames') names.push(params.propertyName);
  const path = names.map((name, i) => (/^\d+$/.test(name) ? `[${name}]` : i === 0 ? name : `.${name}`)).join('');
  return cut(path, 200) || 'arguments';
}

function expectedBy({ keyword, params, message, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${[params.type].flat().join(' or ')}`;
    case 'required':
      return `it is required${whatIsMissing(parentSchema, params.missingProperty)}`;
    case 'additionalProperties':
      return `there is no such argument${whatThereIs(parentSchema)}`;
    case 'enum':
      return `must be one of ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'format':
      return expectedFormats[params.format] ?? `must match format "${params.format}"`;
    default:
      if (params.limit === 1 && /^min(?:Length|Items)$/.test(keyword)) return 'must not be empty';
      return message ?? 'it is not allowed';
  }
}

function whatIsMissing(schema: unknown, name: string): string {
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
  const description = Object.hasOwn(properties, name) ? properties[name]?.description : undefined;
  return description === undefined ? '' : ` (${description.replace(/\.$/, '')})`;
}

const expectedFormats: Record<string, string> = {
  date: 'must be a day that there is, such as 2026-03-01',
  'date-time': 'must be a time with its offset, such as 2026-03-01T09:00:00Z',
};

/** The names that are known, where they are few enough to read. */
function whatThereIs(schema: unknown): string {
  const names = Object.keys((schema as { properties?: object }).properties ?? {}).join(', ');
  return names === '' || names.length > 200 ? '' : `; there is: ${names}`;
}

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
};

/**
 * A copy in which text is turned into what the schema asks for where nothing can be lost: `"5"` → 5, `"true"` → true,
 * JSON text → object or array. Everything else stays as it is, for the validation to judge.
 */
export function coerceLosslessly(schema: object, value: unknown): unknown {
  return coerce(schema as Schema, value);
}

function coerce(schema: Schema, value: unknown): unknown {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return coerceBranch(branches, value);
  const read = typeof value === 'string' ? coerceText(schema, value) : value;
  if (Array.isArray(read)) {
    const { items } = schema;
    return typeof items === 'object' ? read.map((item) => coerce(items, item)) : read.slice();
  }
  if (typeof read !== 'object' || read === null) return read;
  return Object.fromEntries(
    Object.entries(read).map(([name, member]) => {
      const memberSchema = schemaOfMember(schema, name);
      return [name, memberSchema ? coerce(memberSchema, member) : member];
    }),
  );
}

/** What fits a branch unchanged stays; else the first branch that it fits after coercion. */
function coerceBranch(branches: Schema[], value: unknown): unknown {
  if (branches.some((branch) => validatorOf(branch)(value))) return structuredClone(value);
  for (const branch of branches) {
    const candidate = coerce(branch, value);
    if (validatorOf(branch)(candidate)) return candidate;
  }
  return value;
}

function schemaOfMember(schema: Schema, name: string): Schema | undefined {
  if (schema.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  for (const [pattern, member] of Object.entries(schema.patternProperties ?? {})) {
    if (new RegExp(pattern, 'u').test(name)) return member;
  }
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function coerceText(schema: Schema, text: string): unknown {
  const types = [schema.type ?? []].flat();
  if (types.length === 0 || types.includes('string')) return text;
  if (types.includes('integer') || types.includes('number')) {
    const number = Number(text);
    const fits = Number.isSafeInteger(number) || (types.includes('number') && !Number.isInteger(number));
    if (fits && Number.isFinite(number) && String(number) === text) return number;
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const wantsArray = types.includes('array') && /^\s*\[/.test(text);
  const wantsObject = types.includes('object') && /^\s*\{/.test(text);
  if (!wantsArray && !wantsObject) return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof CloudhalError) return text;
    throw error;
  }
}
