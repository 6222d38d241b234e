import type { JsonSchema, ToolFacts } from '@cloudhal/shared/tool';

type Schema = JsonSchema & {
  type?: string;
  description?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};

/** Where in a tool's arguments an id may stand: `entry`, `items[].entry`, `what.nodes[]`. */
export type IdArgument = { path: string[]; kinds: ('id' | 'path' | 'slug')[] };

/** Every argument of a tool that names a node, a snapshot, a site or an approval, by what its schema says of it. */
export function idArguments({ inputSchema }: Pick<ToolFacts, 'inputSchema'>): IdArgument[] {
  const found: IdArgument[] = [];
  function walk(schema: Schema, path: string[], description = schema.description ?? ''): void {
    if (schema.type === 'object') {
      for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, [...path, name]);
    } else if (schema.type === 'array' && schema.items) {
      walk(schema.items, [...path, '[]'], schema.items.description ?? description);
    } else if (schema.type === 'string' && !schema.enum && isId(path, description)) {
      const kinds = (['id', 'path', 'slug'] as const).filter((kind) => new RegExp(`\\b${kind}s?\\b`).test(description));
      found.push({ path, kinds: kinds.length > 0 ? kinds : ['id'] });
    }
  }
  walk(inputSchema as Schema, []);
  return found;
}

function isId(path: string[], description: string): boolean {
  const name = path.filter((part) => part !== '[]').at(-1) ?? '';
  if (name === 'requestId') return false;
  return /\bids?\b/i.test(description) || /^expect/.test(name);
}

/** Valid arguments for a tool, as few as it takes (and `set`, `query` and `add`, without which some do nothing), with `sample` for each name that it knows; and at `path` the value given. */
export function argumentsWith(
  { inputSchema }: Pick<ToolFacts, 'inputSchema'>,
  sample: (path: string[]) => unknown,
  place?: { path: string[]; value: string },
): Record<string, unknown> {
  function make(schema: Schema, path: string[], at?: string[]): unknown {
    if (at?.length === 0) return place!.value;
    const known = at === undefined ? sample(path) : undefined;
    if (known !== undefined) return known;
    if (schema.enum) return schema.enum[0];
    switch (schema.type) {
      case 'object': {
        const also = ['set', 'query', 'add'].filter(
          (name) => schema.properties?.[name] && sample([...path, name]) !== undefined,
        );
        const names = new Set([...(schema.required ?? []), ...(at ? [at[0]!] : []), ...also]);
        const members = [...names].map((name) => {
          const inner = schema.properties?.[name] ?? {};
          return [name, make(inner, [...path, name], name === at?.[0] ? at.slice(1) : undefined)];
        });
        // What only means something together with the argument that is asked for.
        if (at?.[0] === 'snapshot' && schema.properties?.view) members.push(['view', 'snapshot']);
        if (at?.[0] === 'snapshot' && schema.properties?.from) members.push(['from', 'snapshot']);
        return Object.fromEntries(members);
      }
      case 'array':
        return [make(schema.items ?? {}, [...path, '[]'], at?.slice(1))];
      case 'integer':
      case 'number':
        return schema.minimum ?? 1;
      case 'boolean':
        return false;
      default:
        return 'x';
    }
  }
  return make(inputSchema as Schema, [], place?.path) as Record<string, unknown>;
}
