import { Type } from 'typebox';
import { createEntry as create } from '../../content/entries.ts';
import { termSlugs } from '../../content/terms.ts';
import { Input, writeTool } from '../../define-tool.ts';
import {
  BodyText,
  BylinesArg,
  ContentTypeArg,
  LocaleArg,
  Members,
  Note,
  RequestId,
  Site,
  SlugArg,
} from '../arguments.ts';
import { EntryHeadData, entryHead } from './entry-data.ts';

export const createEntry = writeTool({
  name: 'create_entry',
  title: 'Create an entry',
  description:
    'A new draft, such as an article. Nothing is public until it is published. get_content_type says which fields a type has.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['core', 'editorial'],
  hints: { destructive: false, idempotent: false },
  input: Input({
    site: Site,
    type: ContentTypeArg,
    fields: Members("The type's fields; title is always one of them."),
    body: Type.Optional(BodyText),
    terms: Type.Optional(Members('Slugs of terms by taxonomy: {"topics": ["climate"]}.')),
    bylines: BylinesArg,
    slug: Type.Optional(SlugArg),
    locale: LocaleArg,
    requestId: RequestId,
    note: Note,
  }),
  output: EntryHeadData,
  async run({ site: _, requestId: __, note: ___, terms, ...entry }, draft) {
    const node = await create(draft, { ...entry, ...(terms && { terms: termSlugs(terms) }) });
    return { data: entryHead(node), rev: node.rev, next: ['Show it with preview_page, or publish it.'] };
  },
});
