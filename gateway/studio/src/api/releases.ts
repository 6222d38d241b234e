import { queryOptions } from '@tanstack/react-query';
import { changesOf, type Diff, type Differences } from './history.ts';
import { callTool } from './tools.ts';

export type Release = {
  id: string;
  title: string;
  items: number;
  rev: number;
  state: 'open' | 'scheduled' | 'released' | 'refused';
  schedule?: { at: string; timeZone?: string; by: string };
  outcome?: { at: string; by: string; snapshot?: string; error?: { message: string; next: string } };
  conflicts: number;
};

export const releasesQuery = (site: string) =>
  queryOptions({
    queryKey: ['sites', site, 'releases'],
    queryFn: async () => (await callTool<{ releases: Release[] }>('list_releases', { site, limit: 50 })).data.releases,
  });

/** What a release changes for readers. `digest` stands for exactly that. */
export type ReleasePlan = { rev: number; digest: string; conflicts: { node: string; problem: string }[]; diff: Diff };

export const releasePlanQuery = (site: string, release: string) =>
  queryOptions({ queryKey: ['sites', site, 'release', release], queryFn: () => readRelease(site, release) });

export async function readRelease(site: string, release: string): Promise<ReleasePlan> {
  type Read = Omit<ReleasePlan, 'diff'> & { changes: Differences['differences']; untrusted?: Differences['untrusted'] };
  const ask = (format: string) => callTool<Read>('get_release', { site, release, format });
  const [values, texts] = await Promise.all([ask('fields'), ask('body')]);
  const { rev, digest, conflicts } = values.data;
  // A draft moved in between: what is shown has to be what the digest stands for.
  if (texts.data.digest !== digest) return readRelease(site, release);
  const [inValues, inTexts] = [values, texts].map(({ data: { changes, untrusted } }) => ({
    differences: changes,
    ...(untrusted && { untrusted }),
  }));
  const changes = changesOf(inValues!, inTexts!, 'live');
  return { rev, digest, conflicts, diff: { changes, cut: values.truncated === true } };
}

/** `at` is a wall clock's time in the zone. What moved since the plan was read is `digest_moved`, and nothing is scheduled. */
export const schedule = (site: string, release: string, plan: ReleasePlan, at: string, timeZone: string) =>
  callTool<object>('schedule_release', {
    site,
    release,
    rev: plan.rev,
    expectDigest: plan.digest,
    at,
    timeZone,
  });

/** Takes a schedule back; always the safe direction. */
export const unschedule = (site: string, { id, rev }: Release) =>
  callTool<object>('unschedule_release', { site, release: id, rev });
