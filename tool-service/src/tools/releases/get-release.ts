import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import { type Conflict, planRelease } from '../../releases/plan-release.ts';
import { type Run, readRun } from '../../releases/runs.ts';
import { Choice, Site } from '../arguments.ts';
import { diffFormats, setApart } from '../snapshots/difference-data.ts';
import { isCarried, itemsData, ReleaseHeadData, ReleaseRef, releaseHead, standing } from './release-data.ts';

const Rows = Type.Array(Type.Unsafe<object>({ type: 'object' }));
const mostShown = 100;
const maxTokens = 2_000;

export const getRelease = readTool({
  name: 'get_release',
  title: 'Read a release',
  description:
    'One release: its items, what each changes for readers, conflicts, schedule and outcome, and the digest for schedule_release.',
  scopes: ['releases:read'],
  toolsets: ['release'],
  input: Input({
    site: Site,
    release: ReleaseRef,
    format: Type.Optional(Choice(diffFormats, 'How much of each change: summary when absent.')),
  }),
  output: Type.Object({
    ...ReleaseHeadData.properties,
    items: Rows,
    changes: Rows,
    conflicts: Rows,
    embargoed: Rows,
    digest: Type.String(),
  }),
  async run({ release: id, format = 'summary' }, view, call) {
    const release = await view.get('release', id);
    const run = await readRun(view, release.id);
    // A schedule is judged by what is true at its time.
    const at = run?.state === 'scheduled' && run.at > call.now() ? run.at : call.now();
    const { changes, conflicts, embargoed, digest } = await planRelease(view, release, at);
    const shown = changes.slice(0, mostShown).map((change) => setApart(change, format, maxTokens));
    const untrusted = shown.flatMap((row) => row.untrusted ?? []);
    const { note, items } = release.body;
    return {
      data: {
        ...releaseHead(release),
        ...(note !== undefined && { note }),
        ...standing(release, run),
        items: await itemsData(view, items),
        changes: shown.map((row) => row.known),
        conflicts: [...conflicts, ...(run ? lostSchedule(release.id, isCarried(release, run), run) : [])],
        embargoed,
        digest,
        ...(untrusted.length > 0 && { untrusted }),
      },
      rev: release.rev,
      ...(changes.length > mostShown && { truncated: true }),
    };
  },
});

function lostSchedule(node: string, carried: boolean, { state }: Run): Conflict[] {
  if (state !== 'scheduled' || carried) return [];
  const problem = 'its draft was rolled back to before it was scheduled, so it will not go live; schedule it again';
  return [{ node, with: 'draft', problem, blocks: 'nothing' }];
}
