import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { releases as texts } from '../texts/sites.ts';
import { reworded } from './errors.ts';
import { changesOf, type Diff, type Differences, differencesOf, whole } from './history.ts';
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

/** What a person knows a node by. */
export type Named = { node: string; kind?: string; title?: string; path?: string };

/** What becomes of a node: its draft goes live as it then is, or as it was at `rev`, or nothing of it stays live. */
export type ReleaseItem = Named & {
  op: 'publish' | 'unpublish';
  rev?: number;
  /** Where its draft is now. */
  draftRev?: number;
};

/** What is in a release, and what it changes for readers. `digest` stands for exactly that. */
export type ReleasePlan = {
  rev: number;
  digest: string;
  items: ReleaseItem[];
  conflicts: { node: string; problem: string }[];
  diff: Diff;
};

export const releasePlanQuery = (site: string, release: string) =>
  queryOptions({ queryKey: ['sites', site, 'release', release], queryFn: () => readRelease(site, release) });

export async function readRelease(site: string, release: string): Promise<ReleasePlan> {
  type Read = Omit<ReleasePlan, 'diff'> & { changes: Differences['differences']; untrusted?: Differences['untrusted'] };
  const ask = (format: string) => callTool<Read>('get_release', { site, release, format });
  const [values, texts] = await Promise.all([ask('fields'), ask('body')]);
  const { rev, digest, conflicts, untrusted } = values.data;
  // A draft moved in between: what is shown has to be what the digest stands for.
  if (texts.data.digest !== digest) return readRelease(site, release);
  const [inValues, inTexts] = [values, texts].map(({ data: { changes, untrusted } }) => ({
    differences: changes,
    ...(untrusted && { untrusted }),
  }));
  const changes = changesOf(inValues!, inTexts!, 'live');
  const named = values.data.items.map((item) => ({ ...item, id: item.node }));
  const items = whole(
    named,
    untrusted?.map(({ id, title }) => ({ id, ...(title !== undefined && { title }) })),
  );
  return { rev, digest, items, conflicts, diff: { changes, cut: values.truncated === true } };
}

/** Nodes that a release can be made of: those with these words; without any, those that readers see otherwise. */
export const candidatesQuery = (site: string, words: string) =>
  infiniteQueryOptions({
    queryKey: ['sites', site, 'candidates', words],
    queryFn: ({ pageParam }) => {
      const page = { site, limit: 8, ...(pageParam !== undefined && { cursor: pageParam }) };
      return words === '' ? changedNodes(page) : foundNodes(page, words);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

async function changedNodes(page: object) {
  const { data, cursor } = await callTool<Differences>('diff_snapshots', { ...page, a: 'live', b: 'draft' });
  const items = differencesOf(data).map(({ change, ...node }) =>
    candidate(node, change === 'removed' ? 'unpublish' : 'publish'),
  );
  return { items, cursor };
}

type Hit = { id: string; kind: string; title?: string; path?: string };

async function foundNodes(page: object, query: string) {
  const { data, cursor } = await callTool<{ hits: Hit[]; untrusted?: Hit[] }>('search_site', { ...page, query });
  return { items: whole(data.hits, data.untrusted).map((hit) => candidate(hit, 'publish')), cursor };
}

function candidate({ id, kind, title, path }: Hit, op: ReleaseItem['op']): ReleaseItem {
  return { node: id, kind, op, ...(title !== undefined && { title }), ...(path !== undefined && { path }) };
}

/** The rev that the draft of a node is at. */
export const draftRevQuery = (site: string, node: string) =>
  queryOptions({
    queryKey: ['sites', site, 'draft-rev', node],
    queryFn: async () => {
      const { data } = await callTool<{ revisions: { rev: number }[] }>('get_node_history', { site, node, limit: 1 });
      return data.revisions[0]?.rev ?? null;
    },
  });

export type NewRelease = { title: string; note: string; items: ReleaseItem[] };

export const createRelease = (site: string, { title, note, items }: NewRelease, requestId: string) =>
  changeReleases(
    'create_release',
    { site, title, ...(note && { note }), items: items.map(sent), requestId },
    { requestId },
  );

export type ItemChanges = { add: ReleaseItem[]; remove: string[] };

/** Changes what is in a release as it was read; another rev is `rev_conflict`, and nothing is changed. */
export const setReleaseItems = (site: string, release: string, rev: number, { add, remove }: ItemChanges) =>
  changeReleases('set_release_items', { site, release, rev, add: add.map(sent), remove });

function sent({ node, op, rev }: ReleaseItem) {
  return { node, op, ...(rev !== undefined && { rev }) };
}

/** Moves a release to the trash; what was in it stays. */
export const deleteRelease = (site: string, { id, rev }: Release) =>
  changeReleases('delete_release', { site, release: id, rev });

/** `at` is a wall clock's time in the zone. What moved since the plan was read is `digest_moved`, and nothing is scheduled. */
export const schedule = (site: string, release: string, plan: ReleasePlan, at: string, timeZone: string) =>
  changeReleases('schedule_release', {
    site,
    release,
    rev: plan.rev,
    expectDigest: plan.digest,
    at,
    timeZone,
  });

/** Takes a schedule back; always the safe direction. */
export const unschedule = (site: string, { id, rev }: Release) =>
  changeReleases('unschedule_release', { site, release: id, rev });

async function changeReleases(...call: Parameters<typeof callTool>) {
  try {
    return await callTool(...call);
  } catch (error) {
    throw reworded(error, texts.refusals);
  }
}
