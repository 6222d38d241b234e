import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { saveEntry } from '../../content/entries.ts';
import { termChange } from '../../content/terms.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { EntryRef, Members, Note, Rev, Site, TermsChange } from '../arguments.ts';
import { changedMembers } from '../snapshots/changed-members.ts';
import { entryHead } from './entry-data.ts';

export const bulkUpdateEntries = writeTool({
  name: 'bulk_update_entries',
  title: 'Update several entries',
  description:
    'One change of fields or terms on at most 50 entries; all of them or none. Shows what would change unless dryRun is false.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: false },
  input: Input({
    site: Site,
    items: Type.Array(Type.Object({ entry: EntryRef, rev: Rev('get_entry') }, { additionalProperties: false }), {
      minItems: 1,
      maxItems: 50,
      description: 'The entries.',
    }),
    set: Type.Optional(Members('Fields to set in each of them.')),
    terms: TermsChange,
    dryRun: Type.Optional(
      Type.Boolean({ default: true, description: 'True when absent: only says what would change.' }),
    ),
    note: Note,
  }),
  output: Type.Object({ entries: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ items, set, terms }, draft, { principal }) {
    if (!set && !terms) throw fail('validation_failed', { path: 'set', expected: 'fields to set, or terms' });
    const change = {
      ...(set && { set }),
      ...(terms && { terms: termChange(terms) }),
      byPerson: principal.kind === 'person',
    };
    const entries: object[] = [];
    const seen = new Set<string>();
    for (const [index, { entry, rev }] of items.entries()) {
      const before = await draft.get('entry', entry);
      if (seen.has(before.id)) {
        throw fail('validation_failed', { path: `items[${index}].entry`, expected: 'each entry once' });
      }
      seen.add(before.id);
      const after = await saveEntry(draft, before.id, rev, change);
      entries.push({ ...entryHead(after), ...shownChange(before.body, after.body) });
    }
    return { data: { entries } };
  },
});

/** What changed, with the text of entries that nobody has looked at left out. */
function shownChange(before: { untrusted?: boolean }, after: object) {
  const members = changedMembers(before, after);
  return { members: before.untrusted ? members.map(({ member }) => member) : members };
}
