import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Diff, readDiff } from './history.ts';
import { readRelease } from './releases.ts';
import { byTaxonomy, termsOf } from './term-refs.ts';
import { callTool } from './tools.ts';

/**
 * What is on a site, read and changed with the same tools that agents use. Keys begin with `sites`: a change of content
 * anywhere makes what is shown read again.
 */
export type Status = 'draft' | 'published' | 'changed' | 'trash';

type ContentTypeBrief = { name: string; title: string; description: string; pathPrefix: string; hasBody: boolean };

export type SiteData = {
  id: string;
  rev: number;
  slug: string;
  title: string;
  tagline?: string;
  /** The id of a page. */
  homePage?: string;
  locales: string[];
  defaultLocale: string;
  snapshot: string;
  liveSnapshot: string;
  contentTypes: ContentTypeBrief[];
  counts: { kind: string; type?: string; locale?: string; status: Status; nodes: number }[];
};

export const siteQuery = (site: string) =>
  queryOptions({
    queryKey: ['sites', site, 'head'],
    queryFn: async () =>
      (await callTool<SiteData>('get_site', { site, include: ['settings', 'schema', 'counts'] })).data,
  });

export type SiteChange = { set: Record<string, unknown>; unset: string[] };

/** Changes settings of the rev that was read; another rev is `rev_conflict`. */
export const saveSite = (site: string, rev: number, change: SiteChange) =>
  callTool<{ id: string }>('update_site', { site, rev, ...change });

export type PageRow = {
  id: string;
  path: string;
  title: string;
  locale: string;
  rev: number;
  status: Status;
  updatedAt: string;
};

export const pagesQuery = (site: string) =>
  infiniteQueryOptions({
    queryKey: ['sites', site, 'pages'],
    queryFn: ({ pageParam }) => pageOf<{ pages: PageRow[] }>('list_pages', { site, limit: 100 }, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

export type EntryRow = {
  id: string;
  slug: string;
  locale: string;
  rev: number;
  status: Status;
  updatedAt: string;
  title: string;
  isImported: boolean;
};
type ListedEntries = { entries: EntryRow[]; untrusted?: { id: string; title: string }[] };
export type EntryFilter = { type: string; status: Status | undefined; contains: string };

/** Entries of one type, the one that changed last first. */
export const entriesQuery = (site: string, { type, status, contains }: EntryFilter) =>
  infiniteQueryOptions({
    queryKey: ['sites', site, 'entries', type, status ?? '', contains],
    queryFn: async ({ pageParam }) => {
      const filter = { ...(status && { status }), ...(contains && { where: { title: { contains } } }) };
      const { data, cursor } = await pageOf<ListedEntries>(
        'list_entries',
        { site, type, limit: 50, ...filter },
        pageParam,
      );
      const imported = new Map(data.untrusted?.map(({ id, title }) => [id, title]));
      const entries = data.entries.map((entry): EntryRow => {
        return { ...entry, title: entry.title ?? imported.get(entry.id) ?? '', isImported: imported.has(entry.id) };
      });
      return { entries, cursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

export type Entry = {
  id: string;
  type: string;
  slug: string;
  locale: string;
  path?: string;
  rev: number;
  status: Status;
  fields: Record<string, unknown>;
  body: string;
  /** Each as `taxonomy/slug`. */
  terms: string[];
  /** Ids of people, in the order in which readers see them. */
  bylines: string[];
  /** Text from outside that no person has looked at yet. */
  isImported: boolean;
  embargo?: string;
};
type ReadEntry = Omit<Entry, 'fields' | 'body' | 'terms' | 'bylines' | 'isImported'> & {
  fields?: Record<string, unknown>;
  body?: string;
  terms?: Record<string, string[]>;
  bylines?: string[];
  more?: { from: string; offset?: number };
  untrusted?: { fields?: Record<string, unknown>; body?: string }[];
};

export const entryQuery = (site: string, entry: string) =>
  queryOptions({
    queryKey: ['sites', site, 'entry', entry],
    queryFn: () => readEntry(site, entry),
  });

/** The whole of an entry, also where its text takes several answers. */
async function readEntry(site: string, entry: string): Promise<Entry> {
  const read = async (range?: ReadEntry['more']) => {
    const asked = { site, entry, maxTokens: 50_000, ...(range && { range }) };
    const { untrusted, more, ...data } = (await callTool<ReadEntry>('get_entry', asked)).data;
    return { ...data, ...untrusted?.[0], isImported: untrusted !== undefined, more };
  };
  const { more, fields = {}, body = '', terms = {}, bylines = [], ...head } = await read();
  const parts = [body];
  for (let range = more; range; ) {
    const part = await read(range);
    // Somebody changed it in between.
    if (part.rev !== head.rev) return readEntry(site, entry);
    parts.push(part.body ?? '');
    range = part.more;
  }
  return { ...head, fields, body: parts.join(''), terms: termsOf(terms), bylines };
}

export type FieldSchema = {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  maxLength?: number;
  pattern?: string;
  format?: string;
  /** What a text names: a kind of nodes. */
  references?: string;
  items?: FieldSchema;
  maxItems?: number;
  properties?: Record<string, FieldSchema>;
  required?: string[];
};
export type ContentType = {
  name: string;
  title: string;
  description: string;
  hasBody: boolean;
  schema: { properties: Record<string, FieldSchema>; required?: string[] };
};

export const contentTypeQuery = (site: string, type: string) =>
  queryOptions({
    // Types change seldom, so a change of content is no reason to read one again.
    queryKey: ['content-type', site, type],
    queryFn: async () => (await callTool<ContentType>('get_content_type', { site, type, kind: 'entry' })).data,
    staleTime: 60_000,
  });

export type EntryChange = {
  set?: Record<string, unknown>;
  unset?: string[];
  body?: string;
  /** Each as `taxonomy/slug`. */
  terms?: { add: string[]; remove: string[] };
  bylines?: string[];
};

/** Saves what a person changed of the rev that they read; another rev is `rev_conflict`, and nothing is saved. */
export const saveEntry = (site: string, entry: string, rev: number, { terms, ...change }: EntryChange) =>
  callTool<{ rev: number }>('update_entry', {
    site,
    entry,
    rev,
    ...change,
    ...(terms && { terms: { add: byTaxonomy(terms.add), remove: byTaxonomy(terms.remove) } }),
  });

export type NewEntry = { type: string; title: string; slug: string; locale: string };

export const createEntry = (site: string, { title, ...entry }: NewEntry, requestId: string) =>
  callTool<{ id: string }>('create_entry', { site, ...entry, fields: { title }, requestId }, { requestId });

export type Revision = { rev: number; tool: string; actor: string; skill?: string; at: string };

/** Who changed a node after a rev, newest first. */
export async function revisionsSince(site: string, node: string, rev: number): Promise<Revision[]> {
  const { data } = await callTool<{ revisions: Revision[] }>('get_node_history', { site, node, limit: 20 });
  return data.revisions.filter((revision) => revision.rev > rev);
}

export type PublishPlan = {
  expectDraft: string;
  count: number;
  embargoed: { node: string; until: string }[];
  problems: string[];
  diff: Diff;
};

/** What publishing would do. Read in this order: what moves after the plan was made is refused, and never published unseen. */
export const publishPlanQuery = (site: string, what: PublishWhat) =>
  queryOptions({
    queryKey: ['sites', site, 'publish-plan', what],
    queryFn: async (): Promise<PublishPlan> => {
      const { data } = await callTool<Omit<PublishPlan, 'diff'>>('get_publish_plan', { site, what: whatOf(what) });
      const compared = { a: 'live', b: 'draft', track: 'live' as const, ...(what !== 'all' && what) };
      const diff = isRelease(what) ? (await readRelease(site, what.release)).diff : await readDiff(site, compared);
      return { ...data, diff };
    },
  });

export type PublishWhat = 'all' | { node: string } | { release: string };

/** Publishes what the plan showed; a draft that moved since is `digest_moved`, and nothing is published. */
export const publish = (site: string, what: PublishWhat, expectDraft: string) =>
  callTool<Changed>('publish', { site, what: whatOf(what), expectDraft });

export const unpublish = (site: string, node: string, rev: number) =>
  callTool<Changed>('unpublish', { site, items: [{ node, rev }] });

type Changed = { count: number };

function whatOf(what: PublishWhat) {
  if (what === 'all') return { all: true };
  return isRelease(what) ? what : { nodes: [what.node] };
}

function isRelease(what: PublishWhat): what is { release: string } {
  return what !== 'all' && 'release' in what;
}

/** A link to a page as it would look, for some minutes. */
export const preview = async (site: string, node: string, at: { view: string; snapshot?: string }) =>
  (await callTool<{ url: string }>('preview_page', { site, node, ...at, ttlMinutes: 10 })).data.url;

async function pageOf<T>(tool: string, args: object, cursor: string | undefined) {
  const { data, cursor: next } = await callTool<T>(tool, { ...args, ...(cursor !== undefined && { cursor }) });
  return { data, cursor: next };
}
