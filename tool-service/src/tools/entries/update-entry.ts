import { Type } from 'typebox';
import { saveEntry } from '../../content/entries.ts';
import { termChange } from '../../content/terms.ts';
import { getInLocale } from '../../content/translations.ts';
import { Input, writeTool } from '../../define-tool.ts';
import {
  BodyText,
  BylinesArg,
  EntryRef,
  LocaleArg,
  Members,
  Note,
  Rev,
  Site,
  SlugArg,
  TermsChange,
  UnsetFields,
} from '../arguments.ts';
import { EntryHeadData, entryHead } from './entry-data.ts';

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
    rev: Rev('get_entry'),
    set: Type.Optional(Members('Fields to set; all others stay as they are.')),
    unset: UnsetFields,
    body: Type.Optional(BodyText),
    slug: Type.Optional(SlugArg),
    terms: TermsChange,
    bylines: BylinesArg,
    locale: LocaleArg,
    note: Note,
  }),
  output: EntryHeadData,
  async run({ site: _, note: __, entry, locale, rev, terms, ...change }, draft, { principal }) {
    const { id } = await getInLocale(draft, 'entry', entry, locale);
    const node = await saveEntry(draft, id, rev, {
      ...change,
      ...(terms && { terms: termChange(terms) }),
      byPerson: principal.kind === 'person',
    });
    return { data: entryHead(node), rev: node.rev };
  },
});
