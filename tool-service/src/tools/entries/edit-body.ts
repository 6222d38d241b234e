import { Type } from 'typebox';
import { editBody as edit, maxEdits } from '../../body/edit-body.ts';
import { saveBody } from '../../content/entries.ts';
import { getInLocale } from '../../content/translations.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { EntryRef, LocaleArg, Note, Rev, Site } from '../arguments.ts';
import { changedBody } from './changed-blocks.ts';
import { ChangedBody, entryHead } from './entry-data.ts';

export const editBody = writeTool({
  name: 'edit_body',
  title: 'Edit a body',
  description:
    'Replaces exact text in a body: all edits, each on the result of the one before, or none. Text that does not occur count times is an error that says how often it does.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['core', 'editorial'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    entry: EntryRef,
    rev: Rev('get_entry'),
    edits: Type.Array(
      Type.Object(
        {
          find: Type.String({
            minLength: 1,
            maxLength: 100_000,
            description: 'The text as it is, line breaks included.',
          }),
          replace: Type.String({ maxLength: 400_000, description: 'The text to put there.' }),
          count: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1000,
              description: 'How often it occurs, 1 when absent; all are replaced.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: maxEdits, description: 'Edits in order.' },
    ),
    locale: LocaleArg,
    note: Note,
  }),
  output: ChangedBody,
  async run({ entry, rev, edits, locale }, draft, { principal }) {
    const before = await getInLocale(draft, 'entry', entry, locale);
    const byPerson = principal.kind === 'person';
    const after = await saveBody(draft, before.id, rev, ({ body }) => ({ body: edit(body, edits) }), byPerson);
    return { data: { ...entryHead(after), ...changedBody(before, after) }, rev: after.rev };
  },
});
