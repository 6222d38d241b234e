import { Type } from 'typebox';
import { checkTerms } from '../../content/taxonomies.ts';
import { termSlugs } from '../../content/terms.ts';
import { Input, readTool } from '../../define-tool.ts';
import { type Condition, type Listed, type SortKey, statuses } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { Choice, ContentTypeArg, Cursor, Limit, LocaleArg, Members, Since, Site } from '../arguments.ts';
import { isImported } from '../untrusted.ts';
import { entryHead } from './entry-data.ts';
import { checkField, whereFields } from './where-fields.ts';

export const sorts = ['updated', '-updated', 'date', '-date', 'title', '-title', 'path', '-path'] as const;

export const listEntries = readTool({
  name: 'list_entries',
  title: 'List entries',
  description:
    'Entries of one type, filtered and sorted, without their bodies. Fields of imported entries are under untrusted.',
  scopes: ['content:read'],
  toolsets: ['core', 'editorial'],
  input: Input({
    site: Site,
    type: ContentTypeArg,
    where: Type.Optional(
      Members('Conditions on fields: {"publishedOn": {"gt": "2026-01-01"}}; eq, in, gt, lt, contains or exists.'),
    ),
    terms: Type.Optional(Members('Only with these terms: {"topics": ["climate"]}.')),
    status: Type.Optional(
      Choice(statuses, 'Where the draft stands against what is live; trash lists deleted entries.'),
    ),
    locale: LocaleArg,
    updatedSince: Since,
    sort: Type.Optional(Choice(sorts, '-updated when absent; - turns it around.')),
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50, description: 'Also these fields of each entry.' }),
    ),
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Type.Object({ entries: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ site: _, type: name, where = {}, terms = {}, sort = '-updated', fields = [], ...asked }, view) {
    const type = await view.contentType(name);
    for (const field of fields) checkField(type, field, 'fields');
    const conditions = [...whereFields(type, where), ...(await withTerms(view, name, terms))];
    const { items, cursor } = await view.list({
      kind: 'entry',
      type: type.name,
      where: conditions,
      sort: sort.replace('-', '') as SortKey,
      descending: sort.startsWith('-'),
      ...asked,
    });
    const untrusted = items.filter(isImported);
    return {
      data: {
        entries: items.map((entry) => ({ ...head(entry), ...(!isImported(entry) && text(entry, fields)) })),
        ...(untrusted.length > 0 && {
          untrusted: untrusted.map((entry) => ({ source: 'import', id: entry.id, ...text(entry, fields) })),
        }),
      },
      ...(cursor !== undefined && { cursor }),
    };
  },
});

function head(entry: Listed<'entry'>) {
  return { ...entryHead(entry), status: entry.status, updatedAt: entry.updatedAt };
}

function text({ body }: Listed<'entry'>, fields: readonly string[]) {
  const asked = fields.filter((name) => Object.hasOwn(body.fields, name)).map((name) => [name, body.fields[name]]);
  return { title: body.fields.title, ...(fields.length > 0 && { fields: Object.fromEntries(asked) }) };
}

async function withTerms(view: View, type: string, asked: Record<string, unknown>): Promise<Condition[]> {
  const terms = termSlugs(asked);
  await checkTerms(view, type, terms);
  return Object.entries(terms).flatMap(([taxonomy, slugs]) =>
    slugs.map((value): Condition => ({ member: `terms.${taxonomy}`, is: 'contains', value })),
  );
}
