import { Type } from 'typebox';
import { Input, writeTool } from '../../define-tool.ts';
import { Note, Site } from '../arguments.ts';

export const createSnapshot = writeTool({
  name: 'create_snapshot',
  title: 'Create a restore point',
  description: 'Names the state of the site as it is now, draft and live, so that it can be found and gone back to.',
  effect: 'edit',
  scopes: ['snapshots:write'],
  toolsets: ['editorial', 'release'],
  hints: { destructive: false, idempotent: false },
  input: Input({
    site: Site,
    label: Type.String({ minLength: 1, maxLength: 100, description: 'Its name.' }),
    note: Note,
  }),
  output: Type.Object({ label: Type.String() }),
  async run({ label }, draft) {
    draft.label(label);
    draft.touch({ id: draft.siteId });
    return { data: { label }, next: ['diff_snapshots shows what changed since; rollback goes back to it.'] };
  },
});
