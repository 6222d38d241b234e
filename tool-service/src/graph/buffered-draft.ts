import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import { newId } from '@cloudhal/shared/ids';
import type { ContentTypeBody, NodeBody, NodeKind } from '@cloudhal/shared/site/shapes';
import { changesDigest } from './changes-digest.ts';
import { addressBody } from './content-address.ts';
import type { Change, Draft, Foreseen } from './draft.ts';
import { kindRow, prefixOf } from './kinds.ts';
import type { At, GraphNode, Track } from './node.ts';
import { refuseUnknownAssets } from './refuse-unknown-assets.ts';
import { revConflict } from './rev-conflict.ts';
import { SqlView } from './sql-view.ts';

export type SideWrite = {
  sql: string;
  values: readonly unknown[];
  expect?: { rows: number; otherwise: CloudhalError };
};

/** A draft that gathers changes in memory; `store-changes.ts` writes them. */
export class BufferedDraft extends SqlView implements Draft {
  protected override readonly readsTypes = true;
  readonly #changes = new Map<string, Change>();
  /** Canonical JSON of bodies that may be new, by hash. */
  readonly docs = new Map<string, string>();
  readonly writes: SideWrite[] = [];
  readonly touched: { id: string; rev?: number }[] = [];
  /** The stored types that entries were checked against. */
  readonly types = new Map<string, ContentTypeBody>();
  readonly proofs = new Map<Track, string>();
  readonly bound: unknown[] = [];
  foreseen: Foreseen | undefined;
  labelled: string | undefined;
  /** Made under an id that another run of the same work would not give it. */
  created = false;

  get changes(): readonly Change[] {
    return [...this.#changes.values()];
  }

  get effects(): readonly Change[] {
    return this.foreseen?.changes ?? this.changes;
  }

  /** Nothing came of the work: it makes no snapshot, and what it would write beside one is left. */
  get isUntouched(): boolean {
    return this.#changes.size + this.touched.length === 0 && this.labelled === undefined;
  }

  /** What an approval of the call binds to. */
  get digest(): string {
    return this.foreseen?.digest ?? changesDigest(this.changes, this.bound);
  }

  async create<K extends NodeKind>(kind: K, body: NodeBody[K], options: { id?: string } = {}) {
    await refuseUnknownAssets(this, { kind, body });
    this.created ||= options.id === undefined;
    const id = options.id ?? newId(prefixOf(kind));
    const after: GraphNode<K> = { ...(await this.#version(kind, body)), id, kind, rev: 1, deleted: false, seq: 0 };
    this.#put({ track: 'draft', id, kind, after });
    return after;
  }

  async save<K extends NodeKind>(
    kind: K,
    ref: string,
    rev: number,
    change: (body: NodeBody[K], node: GraphNode<K>) => NodeBody[K] | Promise<NodeBody[K]>,
  ): Promise<GraphNode<K>> {
    const node = await this.get(kind, ref);
    await this.#checkRev(node, rev);
    const body = await change(structuredClone(node.body), node);
    await refuseUnknownAssets(this, { kind, body }, node);
    return this.#replace(node, body, false);
  }

  async saveAll<K extends NodeKind>(
    kind: K,
    changes: readonly { id: string; rev: number; body: NodeBody[K] }[],
  ): Promise<void> {
    const found = await this.nodes(changes.map(({ id }) => id));
    const nodes = new Map(found.filter((node) => node.kind === kind).map((node) => [node.id, node as GraphNode<K>]));
    for (const { id, rev, body } of changes) {
      const node = nodes.get(id);
      if (!node) throw fail('not_found', { what: kind.replace('_', ' '), id });
      await this.#checkRev(node, rev);
      await this.#replace(node, body, false);
    }
  }

  async remove(id: string, rev: number): Promise<GraphNode> {
    const node = await this.node(id);
    await this.#checkRev(node, rev);
    return this.#replace(node, node.body, true);
  }

  async restore<K extends NodeKind>(
    { id, kind }: { id: string; kind: K },
    rev: number | undefined,
    body: NodeBody[K],
  ): Promise<GraphNode<K>> {
    const [node] = (await this.nodes([id], { trash: true })) as GraphNode<K>[];
    if (node) {
      if (rev !== undefined) await this.#checkRev(node, rev);
      return this.#replace(node, body, false);
    }
    const after = {
      ...(await this.#version(kind, body)),
      id,
      kind,
      rev: (await this.#lastRevs([id])).get(id)! + 1,
      deleted: false,
      seq: 0,
    };
    this.#put({ track: 'draft', id, kind, after });
    return after;
  }

  async place(track: Track, versions: ReadonlyMap<string, GraphNode | undefined>): Promise<void> {
    const ids = [...versions.keys()];
    const heads = new Map((await this.nodes(ids, { track, trash: true })).map((node) => [node.id, node]));
    const gone =
      track === 'draft' ? await this.#lastRevs(ids.filter((id) => versions.get(id) && !heads.has(id))) : undefined;
    for (const [id, version] of versions) {
      const before = heads.get(id);
      if (!before && !version) continue;
      const rev = track === 'live' ? version?.rev : (before?.rev ?? gone?.get(id) ?? 0) + 1;
      const after = version && { ...version, rev: rev!, seq: 0 };
      this.#put({ track, id, kind: (version ?? before)!.kind, ...(before && { before }), ...(after && { after }) });
    }
  }

  foresees(foreseen: Foreseen): void {
    this.foreseen = foreseen;
  }

  binds(fact: unknown): void {
    this.bound.push(fact);
  }

  proves(track: Track, digest: string): void {
    this.proofs.set(track, digest);
  }

  touch(target: { id: string; rev?: number }): void {
    this.touched.push(target);
  }

  label(name: string): void {
    this.labelled = name;
  }

  write(sql: string, values: readonly unknown[] = [], expect?: SideWrite['expect']): void {
    this.writes.push({ sql, values: [this.siteId, ...values], ...(expect && { expect }) });
  }

  /** Stored nodes under what this call changed. */
  protected override async select(condition: string, values: unknown[], at: At, name: string): Promise<GraphNode[]> {
    const stored = await super.select(condition, values, at, name);
    if (at.snapshot !== undefined || this.#changes.size === 0) return stored;
    const track = at.track ?? 'draft';
    const kept = stored.filter((node) => !this.#changes.has(`${track} ${node.id}`));
    const changed = this.changes.flatMap((change) => (change.track === track && change.after ? [change.after] : []));
    return [...kept, ...changed.filter((node) => matches(node, name, values) && (at.trash || !node.deleted))];
  }

  /** A content type that this call changes is read again. */
  override async contentType(name: string) {
    const changesTypes = this.changes.some((change) => change.kind === 'content_type');
    if (changesTypes) return this.readContentType(name);
    const type = await super.contentType(name);
    this.types.set(name, type);
    return type;
  }

  async #replace<K extends NodeKind>(node: GraphNode<K>, body: NodeBody[K], deleted: boolean): Promise<GraphNode<K>> {
    const version = await this.#version(node.kind as K, body);
    if (version.hash === node.hash && deleted === node.deleted) return node;
    const earlier = this.#changes.get(`draft ${node.id}`);
    const before = earlier ? earlier.before : node;
    // One call is one revision, however often it touches a node.
    const after = {
      ...version,
      id: node.id,
      kind: node.kind,
      rev: earlier ? node.rev : node.rev + 1,
      deleted,
      seq: 0,
    } as GraphNode<K>;
    this.#put({ track: 'draft', id: node.id, kind: node.kind, ...(before && { before }), after });
    return after;
  }

  #put(change: Change): void {
    const { before, after } = change;
    const same = before?.hash === after?.hash && before?.deleted === after?.deleted && before?.path === after?.path;
    if (same) this.#changes.delete(`${change.track} ${change.id}`);
    else this.#changes.set(`${change.track} ${change.id}`, change);
  }

  async #version<K extends NodeKind>(
    kind: K,
    body: NodeBody[K],
  ): Promise<Pick<GraphNode<K>, 'body' | 'hash' | 'path' | 'locale'>> {
    const { hash, doc } = addressBody(body);
    this.docs.set(hash, doc);
    const row = kindRow(kind);
    const path = await row.path?.(body, async (type) => (await this.contentType(type)).pathPrefix);
    const { locale } = row.columns(body);
    return { body, hash, ...(path !== undefined && { path }), ...(locale !== undefined && { locale }) };
  }

  async #checkRev(node: GraphNode, rev: number): Promise<void> {
    // The rev that a node has before this call, too: a call may change a node in several steps.
    const before = this.#changes.get(`draft ${node.id}`)?.before;
    if (node.rev !== rev && before?.rev !== rev) throw await revConflict(this.sql, this.siteId, node.id, rev);
  }

  /** The last rev that each node of the draft ever had; 0 for those that never were. */
  async #lastRevs(ids: string[]): Promise<Map<string, number>> {
    const revs = new Map(ids.map((id) => [id, 0]));
    if (ids.length === 0) return revs;
    const rows = await this.sql.query<{ id: string; rev: number }>(
      `SELECT node_id AS id, max(rev) AS rev FROM tools.ver WHERE site_id = $1 AND track = 'draft' AND node_id = ANY($2) GROUP BY 1`,
      [this.siteId, ids],
    );
    for (const { id, rev } of rows) revs.set(id, rev);
    return revs;
  }
}

/** Whether a changed node is one that the named statement of `SqlView` would find. */
function matches(node: GraphNode, name: string, [wanted, kind]: unknown[]): boolean {
  if (kind !== undefined && node.kind !== kind) return false;
  if (name === 'nodes') return (wanted as string[]).includes(node.id);
  if (name === 'node_of_kind') return node.id === wanted;
  if (name === 'node_by_slug') return kindRow(node.kind).columns(node.body as never).slug === wanted;
  return node.path === wanted;
}
