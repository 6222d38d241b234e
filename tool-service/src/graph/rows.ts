import type { NodeKind } from '@cloudhal/shared/site/shapes';
import type { GraphNode } from './node.ts';

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
