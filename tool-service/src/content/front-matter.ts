import type { ContentTypeBody } from '@cloudhal/shared/site/shapes';

/** Names that other systems use for our fields. */
const aliases: Record<string, string> = {
  date: 'publishedOn',
  pubDate: 'publishedOn',
  published: 'publishedOn',
  description: 'summary',
  excerpt: 'summary',
};

type FieldSchema = { format?: string; pattern?: string };
type Mapped = { fields: Record<string, unknown>; warnings: string[] };

/** The fields of a type that a document's front matter fills. What has no place is named in a warning, never dropped silently. */
export function mapFrontMatter(type: ContentTypeBody, frontMatter: Record<string, unknown>): Mapped {
  const schemas = (type.fields as { properties?: Record<string, FieldSchema> }).properties ?? {};
  const byPlainName = new Map(Object.keys(schemas).map((name) => [plainName(name), name]));
  const fields: Record<string, unknown> = {};
  const warnings: string[] = [];
  // Exact names go first: an alias never takes the place of the field itself.
  const keys = Object.keys(frontMatter).sort(
    (a, b) => Number(Object.hasOwn(schemas, b)) - Number(Object.hasOwn(schemas, a)),
  );
  for (const key of keys) {
    const field = byPlainName.get(plainName(key)) ?? aliased(key, schemas);
    const value = frontMatter[key];
    if (field === undefined || value === null || value === '') {
      if (field === undefined) warnings.push(`"${key}" is no field of ${type.name} and was left out.`);
      continue;
    }
    if (Object.hasOwn(fields, field)) {
      warnings.push(`"${key}" was left out: ${field} is already given.`);
      continue;
    }
    fields[field] = fitted(value, schemas[field]);
    if (fields[field] !== value) warnings.push(`"${key}" was shortened to its date.`);
    if (field !== key) warnings.push(`"${key}" was taken as ${field}.`);
  }
  return { fields, warnings };
}

function aliased(key: string, schemas: object): string | undefined {
  const field = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
  return field !== undefined && Object.hasOwn(schemas, field) ? field : undefined;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}

/** Front matter often has times where we keep dates. */
function fitted(value: unknown, { format, pattern }: FieldSchema = {}): unknown {
  const wantsDate = format === 'date' || pattern?.includes('\\d{4}-\\d{2}-\\d{2}$');
  return wantsDate && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[T ]/.test(value) ? value.slice(0, 10) : value;
}
