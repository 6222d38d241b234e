import { Type } from 'typebox';
import { saveEntry, termSlugs } from '../../content/entries.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { BodyText, EntryRef, Members, Note, Rev, SetFields, Site, UnsetFields } from '../arguments.ts';
import { EntryData, entryHead } from './entry-data.ts';

const TermSlugs = (description: string) => Type.Optional(Members(description));

export const updateEntry = writeTool({
  name: 'update_entry',
  title: 'Update an entry',
  description:
    'Changes the fields you name and leaves the rest. Send the rev you read; a stale rev is refused, never merged. For parts of a body use edit_body or patch_draft.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['core', 'editorial'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    entry: EntryRef,
    rev: Rev,
    set: Type.Optional(SetFields),
    unset: UnsetFields,
    body: Type.Optional(BodyText),
    terms: Type.Optional(
      Type.Object(
        { add: TermSlugs('Slugs to add, by taxonomy.'), remove: TermSlugs('Slugs to remove, by taxonomy.') },
        { additionalProperties: false, description: 'Terms to add and remove.' },
      ),
    ),
    note: Note,
  }),
  output: EntryData,
  async run({ entry, rev, set, unset, body, terms }, draft) {
    const node = await saveEntry(draft, entry, rev, {
      ...(set && { set }),
      ...(unset && { unset }),
      ...(body !== undefined && { body }),
      ...(terms && {
        terms: {
          ...(terms.add && { add: termSlugs(terms.add) }),
          ...(terms.remove && { remove: termSlugs(terms.remove) }),
        },
      }),
    });
    return { data: entryHead(node), rev: node.rev };
  },
});
