import { quote } from '@cloudhal/shared/quote';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Change } from '../components/changes.tsx';
import { callTool } from './tools.ts';

export type Snapshot = {
  id: string;
  seq: number;
  label: string;
  reason: string;
  tool: string;
  actor: string;
  skill?: string;
  changed: number;
  note?: string;
  at: string;
};
type SnapshotDetail = { parent?: string; changes: { track: 'draft' | 'live' }[] };

/** The page that shows one snapshot in the history of its site. */
export const snapshotPath = (site: string, snapshot: string) =>
  `/sites/${encodeURIComponent(site)}/history?snapshot=${encodeURIComponent(snapshot)}`;

export type SnapshotFilter = { labelled: boolean; node: string | undefined; snapshot: string | undefined };

/** What happened to a site, or to one node of it, newest first; or one snapshot alone. */
export const snapshotsQuery = (site: string, { labelled, node, snapshot }: SnapshotFilter) =>
  infiniteQueryOptions({
    queryKey: ['sites', site, 'snapshots', labelled, node ?? '', snapshot ?? ''],
    queryFn: async ({ pageParam }) => {
      if (snapshot !== undefined) {
        const { data } = await callTool<Snapshot>('get_snapshot', { site, snapshot });
        return { snapshots: [data], cursor: undefined };
      }
      const asked = {
        ...(labelled && { labelled }),
        ...(node && { node }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      };
      const { data, cursor } = await callTool<{ snapshots: Snapshot[] }>('list_snapshots', {
        site,
        limit: 30,
        ...asked,
      });
      return { snapshots: data.snapshots, cursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

type Member = { member: string; before?: unknown; after?: unknown };
type Difference = {
  id: string;
  kind: string;
  change: Change['change'];
  path?: string;
  title?: string;
  members?: (string | Member)[];
  body?: string;
};
export type Differences = { differences: Difference[]; untrusted?: (Partial<Difference> & { id: string })[] };
/** `cut`: there are more than these. */
export type Diff = { changes: Change[]; cut: boolean };
export type Compared = { a: string; b: string; track: 'draft' | 'live'; node?: string };

/** What differs between two states, with the values and the text of each node. */
export async function readDiff(site: string, compared: Compared): Promise<Diff> {
  const ask = (format: string) =>
    callTool<Differences>('diff_snapshots', { site, ...compared, format, maxTokens: 20_000 });
  const [values, texts] = await Promise.all([ask('fields'), ask('body')]);
  return { changes: changesOf(values.data, texts.data, compared.track), cut: values.cursor !== undefined };
}

/** Differences that were read twice: with the values of their members, and with their text. */
export function changesOf(values: Differences, texts: Differences, track: 'draft' | 'live'): Change[] {
  const bodies = new Map(differencesOf(texts).map(({ id, body }) => [id, body]));
  return differencesOf(values).map((difference) => shown({ ...difference, body: bodies.get(difference.id) }, track));
}

/** What one snapshot changed, in the draft and for readers. A snapshot never changes, so it is read once. */
export const snapshotDiffQuery = (site: string, id: string) =>
  queryOptions({
    queryKey: ['snapshot', site, id],
    queryFn: async (): Promise<Diff> => {
      const { data } = await callTool<SnapshotDetail>('get_snapshot', { site, snapshot: id });
      const { parent, changes } = data;
      if (parent === undefined) return { changes: [], cut: false };
      const tracks = (['live', 'draft'] as const).filter((track) => changes.some((change) => change.track === track));
      const diffs = await Promise.all(tracks.map((track) => readDiff(site, { a: parent, b: id, track })));
      return { changes: diffs.flatMap((diff) => diff.changes), cut: diffs.some(({ cut }) => cut) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export const differencesOf = ({ differences, untrusted }: Differences): Difference[] => whole(differences, untrusted);

/** Text that nobody looked at yet is told apart by the server; here all of it is quoted anyway. */
export function whole<T extends { id: string }>(known: T[], untrusted: (Partial<T> & { id: string })[] = []): T[] {
  const apart = new Map(untrusted.map((words) => [words.id, words]));
  return known.map((one) => ({ ...apart.get(one.id), ...one }));
}

function shown(
  { id, kind, change, path, title, members = [], body }: Omit<Difference, 'body'> & { body: string | undefined },
  track: Change['track'] & string,
): Change {
  return {
    id,
    kind,
    change,
    track,
    ...(title !== undefined && { title: quote(title) }),
    ...(path !== undefined && { path: quote(path) }),
    ...(body !== undefined && { body }),
    values: members.flatMap((member) => {
      if (typeof member === 'string' || (member.before === undefined && member.after === undefined)) return [];
      return [
        {
          member: quote(member.member),
          ...(member.before !== undefined && { before: said(member.before) }),
          ...(member.after !== undefined && { after: said(member.after) }),
        },
      ];
    }),
  };
}

export function said(value: unknown): string {
  return quote(typeof value === 'string' ? value : JSON.stringify(value), 300);
}

export type Track = 'live' | 'draft' | 'both';
/** What going back would change, and the live snapshot that this was read from. */
export type RollbackPlan = { expectLive: string; live: Diff; draft: Diff };

/** Read in this order: what moves after the head was read is refused, and never done unseen. */
export const rollbackPlanQuery = (site: string, snapshot: string) =>
  queryOptions({
    queryKey: ['sites', site, 'rollback-plan', snapshot],
    queryFn: async (): Promise<RollbackPlan> => {
      const { data } = await callTool<{ liveSnapshot: string }>('get_site', { site, include: [] });
      const [live, draft] = await Promise.all([
        readDiff(site, { a: 'live', b: snapshot, track: 'live' }),
        readDiff(site, { a: 'draft', b: snapshot, track: 'draft' }),
      ]);
      return { expectLive: data.liveSnapshot, live, draft };
    },
  });

export const rollBack = (site: string, asked: { snapshot: string; track: Track; expectLive: string; reason: string }) =>
  callTool<{ count: number }>('rollback', { site, ...asked });

type Undone = {
  nodes: { id: string; kind: string; track: 'draft' | 'live'; change: Change['change']; title?: string }[];
};

/** What undoing a change would do to the draft. */
export const undoPlanQuery = (site: string, snapshot: string) =>
  queryOptions({
    queryKey: ['sites', site, 'undo-plan', snapshot],
    queryFn: async (): Promise<Change[]> => {
      const { data } = await callTool<Undone>('undo_change', { site, snapshot, dryRun: true });
      return data.nodes.map(({ title, ...node }) => ({
        ...node,
        ...(title !== undefined && { title: quote(title) }),
      }));
    },
    retry: false,
  });

export const undo = (site: string, snapshot: string) => callTool<{ count: number }>('undo_change', { site, snapshot });

export const makeRestorePoint = (site: string, label: string) => callTool<object>('create_snapshot', { site, label });
