import { isDay } from '@cloudhal/shared/day';
import { fail } from '@cloudhal/shared/errors';
import { correctionKinds } from '@cloudhal/shared/site/correction';
import { Type } from 'typebox';
import { addCorrection as add } from '../../content/corrections.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Choice, EntryRef, Note, Rev, Site } from '../arguments.ts';
import { EntryHeadData, entryHead } from '../entries/entry-data.ts';

export const addCorrection = writeTool({
  name: 'add_correction',
  title: 'Add a correction',
  description:
    'Appends a dated note for readers: what was wrong, and what is right. The text stays as it is. A retraction needs a person.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    entry: EntryRef,
    rev: Rev('get_entry'),
    text: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description: 'Plain text.' }),
    kind: Choice(correctionKinds, 'retraction: the entry no longer stands.'),
    correctedAt: Type.Optional(
      Type.String({ maxLength: 10, pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD; today when absent.' }),
    ),
    note: Note,
  }),
  output: Type.Object({ ...EntryHeadData.properties, correction: Type.String() }),
  async run({ entry: ref, rev, text, kind, correctedAt }, draft, call) {
    const entry = await draft.get('entry', ref);
    const date = dateOf(correctedAt, call.now());
    const { node, id } = await add(draft, entry, rev, { kind, text, correctedAt: date });
    return {
      data: { ...entryHead(node), correction: id },
      rev: node.rev,
      next: ['Correct the text itself with edit_body where it is still wrong, then publish.'],
    };
  },
  /** Bound to the rev, not to the day on which it was asked for. */
  async assess({ kind, rev }, draft) {
    const [change] = draft.changes;
    return {
      ...(change && { base: { revs: { [change.id]: rev } } }),
      ...(kind === 'retraction' && { reasons: ['it says that the entry no longer stands'] }),
    };
  },
});

/** A day that there is, and that has begun somewhere. */
function dateOf(given: string | undefined, now: Date): string {
  const today = now.toISOString().slice(0, 10);
  if (given === undefined) return today;
  if (!isDay(given) || Date.parse(`${given}T00:00:00Z`) > now.getTime() + 14 * 3_600_000) {
    throw fail('validation_failed', { path: 'correctedAt', expected: 'a day, YYYY-MM-DD, not in the future' });
  }
  return given;
}
