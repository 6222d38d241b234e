import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { saveEntry } from '../../content/entries.ts';
import { getTaxonomy } from '../../content/taxonomies.ts';
import { termChange } from '../../content/terms.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { EntryRef, Note, Rev, Site } from '../arguments.ts';
import { EntryHeadData, entryHead } from '../entries/entry-data.ts';
import { TaxonomyArg } from './taxonomy-data.ts';

const Slugs = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 96 }), { minItems: 1, maxItems: 50, description }));

export const assignTerms = writeTool({
  name: 'assign_terms',
  title: 'Assign terms',
  description: 'Adds terms of one taxonomy to at most 50 entries, or removes them; all of the entries or none.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    items: Type.Array(Type.Object({ entry: EntryRef, rev: Rev('get_entry') }, { additionalProperties: false }), {
      minItems: 1,
      maxItems: 50,
      description: 'The entries.',
    }),
    taxonomy: TaxonomyArg,
    add: Slugs('Slugs of terms to add.'),
    remove: Slugs('Slugs of terms to remove.'),
    note: Note,
  }),
  output: Type.Object({ entries: Type.Array(EntryHeadData) }),
  async run({ items, taxonomy: ref, add, remove }, draft, { principal }) {
    if (!add && !remove) throw fail('validation_failed', { path: 'add', expected: 'terms to add or to remove' });
    const both = add?.find((slug) => remove?.includes(slug));
    if (both !== undefined)
      throw fail('validation_failed', { path: 'remove', expected: `not ${both}, which add adds` });
    const { name } = (await getTaxonomy(draft, ref)).body;
    const terms = termChange({ ...(add && { add: { [name]: add } }), ...(remove && { remove: { [name]: remove } }) });
    const entries = [];
    const seen = new Set<string>();
    for (const [index, { entry, rev }] of items.entries()) {
      const { id } = await draft.get('entry', entry);
      if (seen.has(id)) throw fail('validation_failed', { path: `items[${index}].entry`, expected: 'each entry once' });
      seen.add(id);
      const node = await saveEntry(draft, id, rev, { terms, byPerson: principal.kind === 'person' });
      entries.push({ ...entryHead(node), terms: node.body.terms?.[name] ?? [] });
    }
    return { data: { entries } };
  },
});
