import type { NodeKind } from '@cloudhal/shared/site/shapes';
import type { GraphNode, Track } from './node.ts';

/** A version with its body, as the statements here select it. */
export type VersionRow = {
  id: string;
  kind: NodeKind;
  rev: number;
  path: string | null;
  locale: string | null;
  deleted: boolean;
  hash: string;
  seq: number;
  body: never;
};

/** The columns of `VersionRow` for a version `v` and its body `b`. */
export const versionColumns = `v.node_id AS id, v.kind, v.rev, v.path, v.locale, v.deleted,
  encode(v.hash, 'hex') AS hash, v.from_seq AS seq, b.doc AS body`;
export const versionTables = 'tools.ver v JOIN tools.body b ON b.hash = v.hash';

/** The head `o` of the other track, for where a node stands. */
export function otherHead(track: Track): string {
  return `LEFT JOIN tools.ver o ON o.site_id = v.site_id AND o.track = '${track === 'draft' ? 'live' : 'draft'}'
    AND o.node_id = v.node_id AND o.to_seq IS NULL`;
}

/** Where the head `v` of a track stands, given the head `o` of the other. */
export const statusOf: Record<Track, string> = {
  draft: `CASE WHEN v.deleted THEN 'trash' WHEN o.node_id IS NULL THEN 'draft' WHEN o.hash = v.hash THEN 'published' ELSE 'changed' END`,
  live: `CASE WHEN o.hash = v.hash AND NOT o.deleted THEN 'published' ELSE 'changed' END`,
};

export function toNode(row: VersionRow): GraphNode {
  const { path, locale, ...node } = row;
  return { ...node, ...(path !== null && { path }), ...(locale !== null && { locale }) };
}

/** The condition that a version is part of the state: the head, or the state at the snapshot numbered `$parameter`. */
export function inState(version: string, parameter: string | undefined): string {
  if (parameter === undefined) return `${version}.to_seq IS NULL`;
  return `${version}.from_seq <= ${parameter} AND (${version}.to_seq IS NULL OR ${version}.to_seq > ${parameter})`;
}

/** Gathers the values of a statement that is put together from parts. */
export class Values {
  readonly all: unknown[] = [];

  /** The placeholder for a value. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}
