import { Input, writeTool } from '../../define-tool.ts';
import { mustNotBeScheduled } from '../../releases/runs.ts';
import { Note, Rev, Site } from '../arguments.ts';
import { ReleaseHeadData, ReleaseRef, releaseHead } from './release-data.ts';

export const deleteRelease = writeTool({
  name: 'delete_release',
  title: 'Delete a release',
  description: 'Moves a release that is not scheduled to the trash. The drafts that were in it stay as they are.',
  effect: 'delete',
  scopes: ['releases:write'],
  toolsets: ['release'],
  hints: { destructive: true, idempotent: true },
  input: Input({ site: Site, release: ReleaseRef, rev: Rev('get_release'), note: Note }),
  output: ReleaseHeadData,
  // Nobody schedules it in the meantime.
  exclusive: true,
  async run({ release, rev }, draft) {
    const node = await draft.get('release', release);
    await mustNotBeScheduled(draft, node);
    const removed = await draft.remove(node.id, rev);
    return { data: { ...releaseHead(node), rev: removed.rev }, rev: removed.rev };
  },
});
