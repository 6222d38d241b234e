import type { ContentTypeBody, NodeKind } from '@cloudhal/shared/site/shapes';
import type {
  At,
  Backlink,
  Difference,
  GraphNode,
  Hit,
  Listed,
  NodeQuery,
  Page,
  Revision,
  SearchQuery,
  Snapshot,
  SnapshotQuery,
  Status,
} from './node.ts';

export type SiteHead = {
  id: string;
  slug: string;
  title: string;
  locales: string[];
  defaultLocale: string;
  /** The newest snapshot. */
  snapshot: string;
  seq: number;
  /** The snapshot that last changed what readers see. */
  liveSnapshot: string;
};

/** One site, to read. It has no way to change anything; a tool that gets only a view cannot mutate. */
export interface View {
  readonly siteId: string;
  head(): Promise<SiteHead>;

  /** By id, path, or slug. A slug that several nodes share is `validation_failed` naming their ids. */
  find<K extends NodeKind>(kind: K, ref: string, at?: At): Promise<GraphNode<K> | undefined>;
  /** As `find`; else `not_found`. */
  get<K extends NodeKind>(kind: K, ref: string, at?: At): Promise<GraphNode<K>>;
  /** By id, whatever its kind; else `not_found`. */
  node(id: string, at?: At): Promise<GraphNode>;
  /** Those of the ids that exist, in the order asked for. */
  nodes(ids: readonly string[], at?: At): Promise<GraphNode[]>;
  /** What the path leads to, in any kind that has paths. */
  atPath(path: string, at?: At): Promise<GraphNode | undefined>;
  list<K extends NodeKind>(query: NodeQuery & { kind: K }): Promise<Page<Listed<K>>>;
  /** How many nodes a query would look through, sort and page aside. */
  count(query: NodeQuery): Promise<number>;
  /** How many nodes of each kind (or of this one), type, locale and status the draft has. */
  counts(kind?: NodeKind): Promise<{ kind: NodeKind; type?: string; locale?: string; status: Status; nodes: number }[]>;
  /** Where the node stands against the live track. */
  status(node: GraphNode): Promise<Status>;
  /** A content type by name; else `validation_failed` naming the types there are. */
  contentType(name: string): Promise<ContentTypeBody>;

  /** The versions of a node's draft, newest first. */
  history(id: string, page?: { cursor?: string; limit?: number }): Promise<Page<Revision>>;
  backlinks(node: GraphNode, page?: { kinds?: NodeKind[]; cursor?: string; limit?: number }): Promise<Page<Backlink>>;
  search(query: SearchQuery): Promise<Page<Hit> & { truncated: boolean }>;

  /** By id; else `not_found`. */
  snapshot(id: string): Promise<Snapshot>;
  snapshots(query?: SnapshotQuery): Promise<Page<Snapshot>>;
  /** Nodes that differ between two states, by id. */
  differences(
    before: At,
    after: At,
    page?: { kinds?: NodeKind[]; node?: string; nodes?: readonly string[]; cursor?: string; limit?: number },
  ): Promise<Page<Difference>>;
  /** All of them at once, for what acts on each. */
  allDifferences(before: At, after: At, only?: { nodes?: readonly string[] }): Promise<Difference[]>;

  /**
   * For rows that live beside the tree. One SELECT statement; anything else throws. `$1` is always the site's id. With a
   * `name` it is prepared and shares a connection with others: for what is short and asked with nearly every call.
   */
  rows<R extends object>(select: string, values?: readonly unknown[], name?: string): Promise<R[]>;
}

/** The sites of the deployment, for the few tools that concern more than one. */
export interface SiteList {
  /** Those that the principal may see, by slug. */
  sites(page?: { cursor?: string; limit?: number }): Promise<Page<SiteHead & { changedNodes: number }>>;
}
