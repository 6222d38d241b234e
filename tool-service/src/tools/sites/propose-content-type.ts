import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import type { ContentTypeBody } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import { changeFields, checkPrefix, checkTypeName, type FieldOp } from '../../content/change-type.ts';
import { type Migration, migrateEntries } from '../../content/migrate-entries.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Choice, Members, Reason, Site } from '../arguments.ts';

const mostTypes = 60;
const titleOnly = {
  type: 'object',
  additionalProperties: false,
  required: ['title'],
  properties: { title: { type: 'string', minLength: 1, maxLength: 300, description: 'The title.' } },
};

const Op = Type.Object(
  {
    op: Choice(['add', 'change', 'remove'], 'What to do.'),
    field: Type.String({ maxLength: 64, description: 'Its name, such as startsOn.' }),
    schema: Type.Optional(
      Members(
        'JSON Schema: type, title, description, enum, limits, format date, date-time, uri or email, items. "references": person, page, entry or a type makes it name a node. "default" is what entries without a value get.',
      ),
    ),
    required: Type.Optional(Type.Boolean({ description: 'Each entry needs it.' })),
    to: Type.Optional(Type.String({ maxLength: 64, description: 'With change: its new name.' })),
  },
  { additionalProperties: false },
);

export const proposeContentType = writeTool({
  name: 'propose_content_type',
  title: 'Propose a content type',
  description:
    'A new type, or other fields for an old one. Its drafts follow in the same change; those that do not fit are named. A person decides.',
  effect: 'person',
  scopes: ['schema:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: false },
  exclusive: true,
  input: Input({
    site: Site,
    type: Type.String({ maxLength: 40, description: 'Its name, such as event; a name that is free makes a new type.' }),
    rev: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Of a type that is there: the rev get_content_type returned.' }),
    ),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'As people see it.' })),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'What it is for.' })),
    pathPrefix: Type.Optional(
      Type.String({ maxLength: 97, description: 'Of a new type: where its entries live, such as /events.' }),
    ),
    hasBody: Type.Optional(
      Type.Boolean({ description: 'Of a new type: entries have a Markdown body; true when absent.' }),
    ),
    ops: Type.Array(Op, { maxItems: 60, description: 'Changes of fields, in order. Every type has a title.' }),
    misfits: Type.Optional(
      Choice(['refuse', 'unset'], 'Values that do not fit: refuse the change (default), or drop them.'),
    ),
    reason: Reason,
  }),
  output: Type.Object({
    type: Type.String(),
    rev: Type.Integer(),
    entries: Type.Unsafe<Migration>({ type: 'object' }),
  }),
  async run({ type: name, rev, ops, misfits = 'refuse', ...about }, draft) {
    checkTypeName(name);
    const known = await draft.find('content_type', name);
    const base = known ? { ...known.body, ...changeable(about) } : await newType(draft, name, about);
    const { fields, order, ...moves } = await changeFields(draft, base, ops);
    const type: ContentTypeBody = { ...base, fields, ...(ops.length > 0 && { order }) };
    if (!known) {
      if (rev !== undefined) throw fail('not_found', { what: 'content type', id: name });
      const { rev: first } = await draft.create('content_type', type);
      return { data: { type: name, rev: first, entries: none }, rev: first, next: ['publish makes it live.'] };
    }
    if (rev === undefined)
      throw fail('validation_failed', { path: 'rev', expected: 'the rev that get_content_type returned' });
    const entries = await migrateEntries(draft, type, moves, misfits);
    const node = await draft.save('content_type', known.id, rev, () => type);
    return { data: { type: name, rev: node.rev, entries }, rev: node.rev, next: ['publish makes it live.'] };
  },
  async assess({ ops }, _, { summary }, answer) {
    const { entries } = answer.data as { entries: Migration };
    const lines = [...ops.map(opLine), ...migrationLines(entries)];
    return { summary: { ...summary, lines: [...lines, ...summary.lines] } };
  },
});

const none: Migration = { entries: 0, unchanged: 0, migrated: 0, losing: [] };

type About = { title?: string; description?: string; pathPrefix?: string; hasBody?: boolean };

/** Where entries are, and whether they have a body, is settled when a type is made: readers know their addresses. */
function changeable({ title, description, pathPrefix, hasBody }: About): Pick<About, 'title' | 'description'> {
  if (pathPrefix !== undefined || hasBody !== undefined) {
    const path = pathPrefix === undefined ? 'hasBody' : 'pathPrefix';
    throw fail('validation_failed', { path, expected: 'nothing: it cannot change once the type is there' });
  }
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}

async function newType(
  draft: Parameters<typeof checkPrefix>[0],
  name: string,
  { title, description, pathPrefix, hasBody = true }: About,
): Promise<ContentTypeBody> {
  if (title === undefined) throw fail('validation_failed', { path: 'title', expected: 'a title for the new type' });
  const { items } = await draft.list({ kind: 'content_type', limit: 100 });
  if (items.length >= mostTypes) throw fail('limit_exceeded', { what: 'The number of content types', max: mostTypes });
  return {
    name,
    title,
    description: description ?? title,
    pathPrefix: await checkPrefix(draft, pathPrefix ?? `/${name.replaceAll('_', '-')}`),
    hasBody,
    fields: structuredClone(titleOnly),
  };
}

function opLine({ op, field, schema, required, to }: FieldOp) {
  const parts = [
    `${deeds[op]} ${quote(field)}`,
    to !== undefined && `its name becomes ${quote(to)}`,
    required !== undefined && (required ? 'required' : 'not required'),
    schema && schemaWords(schema),
  ];
  return `${parts.filter((part) => part !== false && part !== undefined).join(', ')}.`;
}

const deeds = { add: 'A new field', change: 'A change of the field', remove: 'Takes out the field' };

/** `a date`, `a list: text (max length: 5)`: what a field takes, and what else is said of it. */
function schemaWords({ type, format, items, ...others }: Record<string, unknown>): string {
  const limits = Object.entries(others).map(([name, value]) => {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return `${words}: ${typeof value === 'number' ? value : quote(typeof value === 'string' ? value : JSON.stringify(value), 300)}`;
  });
  const takes = items ? `a list: ${schemaWords(items as Record<string, unknown>)}` : values[String(format ?? type)];
  return `${takes ?? quote(String(type))}${limits.length > 0 ? ` (${limits.join(', ')})` : ''}`;
}

const values: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'yes or no',
  date: 'a date',
  'date-time': 'a date with a time',
  uri: 'an address',
  email: 'an e-mail address',
};

function migrationLines({ entries, unchanged, migrated, losing }: Migration): string[] {
  if (entries === 0) return ['There are no entries of this type yet.'];
  const fit = `${unchanged + migrated} of ${entries} entries fit; ${migrated} of them change with the type.`;
  if (losing.length === 0) return [fit];
  const named = losing.slice(0, 10).map(({ id, why }) => `${id}: ${quote(why, 200)}`);
  return [fit, `${losing.length} do not fit and lose the values that do not:`, ...named];
}
