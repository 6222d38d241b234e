import { fail } from '@cloudhal/shared/errors';
import { Input, writeTool } from '../../define-tool.ts';
import { endSchedule, readRun } from '../../releases/runs.ts';
import { Note, Rev, Site } from '../arguments.ts';
import { ReleaseHeadData, ReleaseRef, releaseHead } from './release-data.ts';

export const unscheduleRelease = writeTool({
  name: 'unschedule_release',
  title: 'Take a schedule back',
  description: 'The release does not go live at its time; its items stay. Runs at once in every mode that edits.',
  effect: 'edit',
  scopes: ['releases:write'],
  toolsets: ['release'],
  hints: { destructive: false, idempotent: true },
  input: Input({ site: Site, release: ReleaseRef, rev: Rev('get_release'), note: Note }),
  output: ReleaseHeadData,
  // Either it is live by then, or it does not go live any more.
  exclusive: true,
  async run({ release, rev }, draft) {
    const node = await draft.get('release', release);
    const run = await readRun(draft, node.id);
    const saved = await draft.save('release', node.id, rev, ({ schedule: _, ...body }) => body);
    if (run?.state !== 'scheduled') {
      throw fail('validation_failed', { path: 'release', expected: 'one that is scheduled, see get_release' });
    }
    endSchedule(draft, node.id);
    if (saved.rev === rev) draft.touch({ id: node.id, rev });
    return { data: { ...releaseHead(saved), state: 'open' }, rev: saved.rev };
  },
});
