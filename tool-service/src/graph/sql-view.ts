import { cut } from '@cloudhal/shared/cut';
import type { Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { ContentTypeBody, NodeKind, SiteBody } from '@cloudhal/shared/site/shapes';
import { allDifferences, differences } from './differences.ts';
import { backlinksOf, historyOf, listSnapshots, snapshotById } from './history.ts';
import { prefixOf } from './kinds.ts';
import { countNodes, listNodes } from './list-nodes.ts';
import type { At, GraphNode, NodeQuery, SearchQuery, SnapshotQuery, Status, Track } from './node.ts';
import { inState, otherHead, statusOf, toNode, type VersionRow, versionColumns, versionTables } from './rows.ts';
import { searchNodes } from './search-nodes.ts';
import type { SiteHead, View } from './view.ts';

type Paging = { cursor?: string; limit?: number };

/** A view of one site's rows. */
export class SqlView implements View {
  readonly siteId: string;
  protected readonly sql: Queryable;
  /** Whether an entry's type comes along with the entry: whoever changes it needs both. */
  protected readonly readsTypes: boolean = false;
  #head: Promise<SiteHead> | undefined;
  readonly #sequences = new Map<string, Promise<number>>();
  readonly #types = new Map<string, Promise<ContentTypeBody>>();
  /** What was read: to one call the site looks the same throughout. */
  readonly #read = new Map<string, Promise<GraphNode[]>>();
  /** Where the nodes that were read as heads stand. */
  readonly #statuses = new WeakMap<GraphNode, Status>();

  constructor(sql: Queryable, siteId: string) {
    this.sql = sql;
    this.siteId = siteId;
  }

  head(): Promise<SiteHead> {
    this.#head ??= this.#readHead();
    return this.#head;
  }

  async #readHead(): Promise<SiteHead> {
    const [row] = await this.sql.query<HeadRow>(`${siteHeads} WHERE s.id = $1`, [this.siteId], { name: 'site_head' });
    if (!row) throw fail('not_found', { what: 'site', id: this.siteId });
    return toHead(row);
  }

  async find<K extends NodeKind>(kind: K, ref: string, at: At = {}): Promise<GraphNode<K> | undefined> {
    const isId = ref.startsWith(`${prefixOf(kind)}_`);
    const found = isId
      ? await this.select('v.node_id = $3 AND v.kind = $4', [ref, kind], at, 'node_of_kind')
      : ref.startsWith('/')
        ? await this.select('v.path = $3 AND v.kind = $4', [ref, kind], at, 'node_at_path_of_kind')
        : await this.select('v.slug = $3 AND v.kind = $4', [ref, kind], at, 'node_by_slug');
    return (await this.#one(found, ref, at)) as GraphNode<K> | undefined;
  }

  async get<K extends NodeKind>(kind: K, ref: string, at: At = {}): Promise<GraphNode<K>> {
    const node = await this.find(kind, ref, at);
    if (!node) throw fail('not_found', { what: kind.replace('_', ' '), id: ref });
    return node;
  }

  async node(id: string, at: At = {}): Promise<GraphNode> {
    const [node] = await this.nodes([id], at);
    if (!node) throw fail('not_found', { what: 'node', id });
    return node;
  }

  async nodes(ids: readonly string[], at: At = {}): Promise<GraphNode[]> {
    if (ids.length === 0) return [];
    const found = await this.select('v.node_id = ANY($3)', [ids], at, 'nodes');
    const byId = new Map(found.map((node) => [node.id, node]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async atPath(path: string, at: At = {}): Promise<GraphNode | undefined> {
    return this.#one(await this.select('v.path = $3', [path], at, 'node_at_path'), path, at);
  }

  async list<K extends NodeKind>(query: NodeQuery & { kind: K }) {
    return listNodes(this.sql, this.siteId, query, await this.seqOf(query.at));
  }

  async count(query: NodeQuery) {
    return countNodes(this.sql, this.siteId, query, await this.seqOf(query.at));
  }

  counts(kind?: NodeKind) {
    return this.sql.query<{ kind: NodeKind; type?: string; locale?: string; status: Status; nodes: number }>(
      `SELECT v.kind, nullif(v.type, '') AS type, v.locale, count(*) AS nodes,
         CASE WHEN v.deleted THEN 'trash' WHEN o.node_id IS NULL THEN 'draft'
           WHEN o.hash = v.hash THEN 'published' ELSE 'changed' END AS status
       FROM tools.ver v LEFT JOIN tools.ver o ON o.site_id = v.site_id AND o.track = 'live' AND o.node_id = v.node_id
         AND o.to_seq IS NULL
       WHERE v.site_id = $1 AND v.track = 'draft' AND v.to_seq IS NULL AND ($2::text IS NULL OR v.kind = $2)
       GROUP BY 1, 2, 3, 5 ORDER BY 1, 2, 3, 5`,
      [this.siteId, kind ?? null],
    );
  }

  async status(node: GraphNode): Promise<Status> {
    const known = this.#statuses.get(node);
    if (known) return known;
    const [row] = await this.sql.query<{ draft: string | null; live: string | null }>(
      `SELECT (SELECT encode(hash, 'hex') FROM tools.ver WHERE site_id = $1 AND track = 'draft' AND node_id = $2
         AND to_seq IS NULL AND NOT deleted) AS draft,
         (SELECT encode(hash, 'hex') FROM tools.ver WHERE site_id = $1 AND track = 'live' AND node_id = $2
         AND to_seq IS NULL AND NOT deleted) AS live`,
      [this.siteId, node.id],
      { name: 'node_status' },
    );
    const { draft, live } = row!;
    if (live !== null) return draft === live ? 'published' : 'changed';
    return draft === null ? 'trash' : 'draft';
  }

  contentType(name: string): Promise<ContentTypeBody> {
    let type = this.#types.get(name);
    if (!type) {
      type = this.readContentType(name);
      this.#types.set(name, type);
    }
    return type;
  }

  protected async readContentType(name: string): Promise<ContentTypeBody> {
    const type = await this.find('content_type', name);
    if (type) return type.body;
    const { items } = await this.list({ kind: 'content_type', sort: 'title', limit: 100 });
    const names = items.map((node) => node.body.name).join(', ');
    throw fail('validation_failed', { path: 'type', expected: `one of ${names}` });
  }

  history(id: string, page?: Paging) {
    return historyOf(this.sql, this.siteId, id, page);
  }

  backlinks(node: GraphNode, page?: Paging & { kinds?: NodeKind[] }) {
    return backlinksOf(this.sql, this.siteId, node, page);
  }

  async search(query: SearchQuery) {
    return searchNodes(this.sql, this.siteId, query, (await this.head()).locales);
  }

  snapshot(id: string) {
    return snapshotById(this.sql, this.siteId, id);
  }

  snapshots(query: SnapshotQuery = {}) {
    return listSnapshots(this.sql, this.siteId, query);
  }

  async differences(
    before: At,
    after: At,
    page?: Paging & { kinds?: NodeKind[]; node?: string; nodes?: readonly string[] },
  ) {
    return differences(this.sql, this.siteId, await this.stateOf(before), await this.stateOf(after), page);
  }

  async allDifferences(before: At, after: At, only?: { nodes?: readonly string[] }) {
    return allDifferences(this.sql, this.siteId, await this.stateOf(before), await this.stateOf(after), only);
  }

  async rows<R extends object>(select: string, values: readonly unknown[] = [], name?: string): Promise<R[]> {
    // Data can only be changed at the top of a statement, so nothing that begins with SELECT changes any.
    if (!/^\s*SELECT\b/i.test(select) || /;|\bINTO\b/i.test(select))
      throw new Error('A view runs one SELECT statement.');
    return this.sql.query<R>(select, [this.siteId, ...values], name === undefined ? {} : { name });
  }

  /** The state as numbers. */
  protected async stateOf(at: At): Promise<{ track: Track; seq?: number }> {
    const seq = await this.seqOf(at);
    return { track: at.track ?? 'draft', ...(seq !== undefined && { seq }) };
  }

  protected async seqOf(at: At | undefined): Promise<number | undefined> {
    const id = at?.snapshot;
    if (id === undefined) return undefined;
    let seq = this.#sequences.get(id);
    if (!seq) {
      seq = this.snapshot(id).then((snapshot) => snapshot.seq);
      this.#sequences.set(id, seq);
    }
    return seq;
  }

  /** Versions in a state. `$1` is the site, `$2` the track; `name` prepares the statement. */
  protected async select(condition: string, values: unknown[], at: At, name: string): Promise<GraphNode[]> {
    const seq = await this.seqOf(at);
    const all: unknown[] = [this.siteId, at.track ?? 'draft', ...values];
    const state = inState('v', seq === undefined ? undefined : `$${all.push(seq)}`);
    const kept = at.trash ? '' : ' AND NOT v.deleted';
    const isHead = seq === undefined;
    const track = at.track ?? 'draft';
    const [status, other] = isHead ? [`, ${statusOf[track]} AS status`, otherHead(track)] : ['', ''];
    const [type, types] = this.readsTypes && name.includes('_') ? [', t.doc AS type', typeOfEntry] : ['', ''];
    const text = `SELECT ${versionColumns}${status}${type} FROM ${versionTables} ${other} ${types}
       WHERE v.site_id = $1 AND v.track = $2 AND ${condition} AND ${state}${kept}`;
    const variant = `${name}_${isHead ? track : 'then'}${at.trash ? '_trash' : ''}${type && '_typed'}`;
    const key = JSON.stringify([variant, all]);
    let nodes = this.#read.get(key);
    if (!nodes) {
      nodes = this.#selectNodes(text, all, variant);
      this.#read.set(key, nodes);
    }
    return nodes;
  }

  async #selectNodes(text: string, values: unknown[], name: string): Promise<GraphNode[]> {
    type Row = VersionRow & { status?: Status; type?: ContentTypeBody | null };
    const rows = await this.sql.query<Row>(text, values, { name });
    return rows.map(({ status, type, ...row }) => {
      if (type && !this.#types.has(type.name)) this.#types.set(type.name, Promise.resolve(type));
      const node = toNode(row);
      if (status) this.#statuses.set(node, status);
      return node;
    });
  }

  /** The one that was meant, of those that share a slug or a path. */
  async #one(found: GraphNode[], ref: string, at: At): Promise<GraphNode | undefined> {
    if (found.length <= 1 && (at.locale === undefined || found[0]?.locale === undefined)) return found[0];
    const locale = at.locale ?? (await this.head()).defaultLocale;
    const meant = found.filter((node) => node.locale === undefined || node.locale === locale);
    const candidates = at.locale === undefined && meant.length === 0 ? found : meant;
    if (candidates.length <= 1) return candidates[0];
    const ids = candidates
      .slice(0, 5)
      .map((node) => node.id)
      .join(', ');
    throw fail('validation_failed', {
      path: 'the reference',
      expected: `an id, since "${cut(ref, 80)}" is shared by ${ids}`,
    });
  }
}

/** The type of the entry `v`, as `t`. */
const typeOfEntry = `LEFT JOIN LATERAL (
    SELECT tb.doc FROM tools.ver tv JOIN tools.body tb ON tb.hash = tv.hash
    WHERE v.kind = 'entry' AND tv.site_id = v.site_id AND tv.track = 'draft' AND tv.kind = 'content_type' AND tv.slug = v.type
      AND tv.to_seq IS NULL AND NOT tv.deleted
  ) t ON true`;

export type HeadRow = {
  id: string;
  slug: string;
  seq: number;
  snapshot: string;
  liveSnapshot: string;
  body: SiteBody;
};

/** Sites with their settings, as `HeadRow`; the condition comes after it. */
export const siteHeads = `SELECT s.id, s.slug, s.head_seq AS seq, s.head_snapshot AS snapshot,
    s.live_snapshot AS "liveSnapshot", b.doc AS body
  FROM tools.site s
  JOIN tools.ver v ON v.site_id = s.id AND v.track = 'draft' AND v.node_id = s.id AND v.to_seq IS NULL
  JOIN tools.body b ON b.hash = v.hash`;

export function toHead({ body, ...row }: HeadRow): SiteHead {
  return { ...row, title: body.title, locales: body.locales, defaultLocale: body.defaultLocale };
}
