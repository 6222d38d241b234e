import type { NodeBody, NodeKind } from '@cloudhal/shared/site/shapes';

/** The two trees of a site: what is being worked on, and what readers see. */
export type Track = 'draft' | 'live';

/** A node in one state of the site. Reading it does not give the right to change it. */
export type GraphNode<K extends NodeKind = NodeKind> = {
  id: string;
  kind: K;
  /** Grows by one with each change of the draft; on the live track, the rev of the draft that was published. */
  rev: number;
  body: NodeBody[K];
  /** Where it is on the site; absent for what has no address. */
  path?: string;
  locale?: string;
  /** In the trash. */
  deleted: boolean;
  /** SHA-256 of the body's canonical JSON, in hex. */
  hash: string;
  /** The number of the snapshot that made this version. */
  seq: number;
};

/** The state that is read. Without it: the draft as it is now. */
export type At = {
  /** With a snapshot: which of its two trees; `draft` when absent. */
  track?: Track;
  /** A snapshot's id. */
  snapshot?: string;
  /** Chooses between nodes that share a slug or path in several locales; the site's default locale goes first. */
  locale?: string;
  /** Finds what is in the trash, too. */
  trash?: boolean;
};

/** `published`: live and unchanged since; `changed`: live with a newer draft; `draft`: not live. */
export const statuses = ['draft', 'published', 'changed', 'trash'] as const;
export type Status = (typeof statuses)[number];

/** One condition on a member of the body, such as `fields.publishedOn`; conditions are joined by and. */
export type Condition = { member: string; is: 'eq' | 'in' | 'gt' | 'lt' | 'contains' | 'exists'; value: unknown };

export const sortKeys = ['path', 'title', 'date', 'updated'] as const;
export type SortKey = (typeof sortKeys)[number];

export type NodeQuery = {
  kind: NodeKind;
  at?: At;
  /** A content type's name, for entries. */
  type?: string;
  /** A page's id; null for those at the top. */
  parent?: string | null;
  locale?: string;
  status?: Status;
  /** ISO 8601. */
  updatedSince?: string;
  /** A node by what links name it by, its id and its path: only what refers to it. */
  linksTo?: string[];
  where?: Condition[];
  sort?: SortKey;
  descending?: boolean;
  cursor?: string;
  /** At most 100; 25 when absent. */
  limit?: number;
};

export type Listed<K extends NodeKind = NodeKind> = GraphNode<K> & {
  status: Status;
  updatedAt: string;
  /** The name of who made this version; of what is in the trash, who deleted it. */
  updatedBy: string;
};
export type Page<T> = { items: T[]; cursor?: string };

/** Who made a version and how. */
export type Revision = {
  rev: number;
  snapshot: string;
  seq: number;
  at: string;
  tool: string;
  actor: string;
  skill?: string;
  note?: string;
  deleted: boolean;
};

/** A link from one node to another node's id, or to a path of the site. */
export type Link = { role: string; target: string };
export type Backlink = { source: string; kind: NodeKind; title: string; path?: string; role: string };

export type SearchQuery = {
  text: string;
  track?: Track;
  kinds?: NodeKind[];
  /** Only entries of this content type. */
  type?: string;
  locale?: string;
  cursor?: string;
  /** At most 50; 10 when absent. */
  limit?: number;
};
/** `snippet` is plain text in which `**` surrounds what matched. */
export type Hit = { id: string; kind: NodeKind; title: string; path?: string; locale?: string; snippet: string };

export type Snapshot = {
  id: string;
  seq: number;
  parent?: string;
  reason: string;
  /** A restore point's name, or the tool's. */
  label: string;
  tool: string;
  actor: string;
  skill?: string;
  callId: string;
  /** How many node versions it made or ended. */
  changed: number;
  draftDigest: string;
  liveDigest: string;
  note?: string;
  at: string;
};

export type SnapshotQuery = {
  node?: string;
  actor?: string;
  since?: string;
  /** Only restore points. */
  labelled?: boolean;
  /** Only those that changed this track. */
  track?: Track;
  cursor?: string;
  limit?: number;
};

/** One node that differs between two states; an absent side means that the node was not there. */
export type Difference = { id: string; kind: NodeKind; before?: GraphNode; after?: GraphNode };
