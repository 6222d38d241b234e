import type { JsonSchema } from '@cloudhal/shared/tool';
import fc from 'fast-check';

type Args = Record<string, unknown>;
type Schema = JsonSchema & {
  type?: string;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};

/** Arguments that say everything that may be said, each list with one item. */
export function fullArguments(schema: JsonSchema): Args {
  return full(schema as Schema) as Args;
}

function full(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, full(member)]));
    case 'array':
      return [full(schema.items ?? {})];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    case 'string':
      return schema.pattern
        ? fc.sample(fc.stringMatching(new RegExp(schema.pattern)), {
            numRuns: 1,
            seed: 1,
          })[0]
        : 'x'.repeat(schema.minLength ?? 1);
    default:
      return 1;
  }
}

/** One thing wrong with arguments that were right, where it is, and what. */
export type Wrong = { what: string; path: string; args: Args };

/** Every way to break the shape that a schema gives, one at a time, at every place. */
export function wrongArguments(inputSchema: JsonSchema): Wrong[] {
  const schema = inputSchema as Schema;
  const right = full(schema);
  const found: Wrong[] = [];

  function add(what: string, path: (string | number)[], change: (at: Args | unknown[], key: never) => void): void {
    const root = { args: structuredClone(right) };
    // biome-ignore lint/suspicious/noExplicitAny: whatever stands at the path
    const at = ['args', ...path].slice(0, -1).reduce<any>((value, key) => value[key], root);
    change(at, (path.at(-1) ?? 'args') as never);
    found.push({ what, path: pathText(path), args: root.args as Args });
  }
  const put = (what: string, path: (string | number)[], value: unknown) =>
    add(what, path, (at, key) => {
      (at as Args)[key] = value;
    });

  function walk(part: Schema, path: (string | number)[]): void {
    if (part.type === 'object') {
      if (path.length > 0) put('a text where members are', path, 'x');
      if (part.additionalProperties === false) put('a member that there is not', [...path, 'everything'], true);
      for (const name of part.required ?? []) {
        add('something that is left out', [...path, name], (at, key) => {
          delete (at as Args)[key];
        });
      }
      for (const [name, member] of Object.entries(part.properties ?? {})) walk(member, [...path, name]);
    } else if (part.type === 'array') {
      put('a text where a list is', path, 'x');
      if (part.minItems) put('an empty list', path, []);
      if (part.maxItems)
        put(
          'a list that is too long',
          path,
          Array.from({ length: part.maxItems + 1 }, () => full(part.items ?? {})),
        );
      walk(part.items ?? {}, [...path, 0]);
    } else if (part.enum) {
      put('another word', path, 'everything');
    } else if (part.type === 'string') {
      put('a number where a text is', path, 7);
      put('nothing', path, null);
      if (part.maxLength) put('a text that is too long', path, 'x'.repeat(part.maxLength + 1));
      if (part.minLength) put('an empty text', path, '');
    } else if (part.type === 'integer' || part.type === 'number') {
      put('a text where a number is', path, 'one');
      put('half a number', path, 1.5);
      if (part.minimum !== undefined) put('a number that is too small', path, part.minimum - 1);
    } else if (part.type === 'boolean') {
      put('a word for yes', path, 'yes');
    }
  }
  walk(schema, []);
  return found;
}

function pathText(path: (string | number)[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${key}` : key),
    '',
  );
}
