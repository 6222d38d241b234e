import { fail } from '@cloudhal/shared/errors';
import { readInstant } from '@cloudhal/shared/instant';
import { quote } from '@cloudhal/shared/quote';
import { Type } from 'typebox';
import { subjectOf } from '../../changes/describe.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { putLive } from '../../publish/plan.ts';
import { mustBeClear, planRelease } from '../../releases/plan-release.ts';
import { addSchedule, endSchedule, recordFired } from '../../releases/runs.ts';
import { Note, Rev, Site, TimeArg, TimeZoneArg } from '../arguments.ts';
import { changesData } from '../publish/change-data.ts';
import { ReleaseHeadData, ReleaseRef, releaseHead } from './release-data.ts';

const year = 366 * 86_400_000;

export const scheduleRelease = writeTool({
  name: 'schedule_release',
  title: 'Schedule a release',
  description:
    'Sets or changes when a release goes live. Exactly what the digest of get_release stands for goes live then, or nothing: if a draft in it changes, schedule it again.',
  effect: 'auto-publish',
  scopes: ['publish', 'releases:write'],
  toolsets: ['release'],
  hints: { destructive: false, idempotent: true },
  exclusive: true,
  input: Input({
    site: Site,
    release: ReleaseRef,
    rev: Rev('get_release'),
    at: TimeArg('ISO 8601: when it goes live.'),
    timeZone: TimeZoneArg,
    expectDigest: Type.String({ minLength: 1, maxLength: 64, description: 'The digest that get_release showed.' }),
    note: Note,
  }),
  output: ReleaseHeadData,
  async run(args, draft, call) {
    const { release: id, rev, timeZone, expectDigest } = args;
    const at = readInstant(args.at, timeZone, 'at');
    const now = call.now();
    if (at <= now) throw fail('validation_failed', { path: 'at', expected: 'a time that is still to come' });
    if (at.getTime() > now.getTime() + 5 * year) {
      throw fail('validation_failed', { path: 'at', expected: 'a time within the next five years' });
    }
    const release = await draft.get('release', id);
    const schedule = { at: at.toISOString(), ...(timeZone !== undefined && { timeZone }), digest: expectDigest };
    const saved = await draft.save('release', release.id, rev, (body) => ({ ...body, schedule }));
    const plan = await planRelease(draft, release, at);
    mustBeClear(plan, 'schedule');
    if (plan.changes.length === 0) {
      throw fail('validation_failed', { path: 'release', expected: 'one that changes what readers see' });
    }
    if (plan.digest !== expectDigest) throw fail('digest_moved', { digest: plan.digest });
    // What is approved is what goes live then.
    draft.foresees({ ...plan, at });
    // Also where the node says so already, as after a rollback.
    if (saved.rev === rev) draft.touch({ id: release.id, rev });
    endSchedule(draft, release.id);
    const { permit = '', principal } = call;
    addSchedule(draft, { release: release.id, at, rev, by: principal.name, permit, arguments: args });
    return { data: { ...releaseHead(saved), state: 'scheduled', schedule }, rev: saved.rev };
  },
  async assess({ release: id, at, timeZone }, draft, dry) {
    const [{ body }, { title }] = await Promise.all([draft.get('release', id), draft.head()]);
    const instant = readInstant(at, timeZone, 'at').toISOString();
    const local = timeZone === undefined ? '' : `, that is ${quote(at)} in ${quote(timeZone)}`;
    const subject = subjectOf(draft.effects);
    return {
      summary: {
        ...dry.summary,
        title: `Schedule release ${quote(body.title)} on ${quote(title)} for ${instant}${local}: ${subject}`,
      },
    };
  },
  async due({ release: id, rev, expectDigest, ...args }, draft, call) {
    const at = readInstant(args.at, args.timeZone, 'at');
    const release = await draft.get('release', id);
    const { schedule } = release.body;
    if (schedule?.at !== at.toISOString() || schedule.digest !== expectDigest) throw fail('digest_moved');
    const plan = await planRelease(draft, release);
    mustBeClear(plan, 'publish');
    draft.foresees({ ...plan, at });
    await putLive(draft, plan, call.principal.kind === 'person' || call.approval !== undefined);
    recordFired(draft, { release: release.id, rev, callId: call.id });
    return { data: { release: release.id, ...changesData(draft) } };
  },
});
