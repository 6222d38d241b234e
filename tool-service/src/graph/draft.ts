import type { CloudhalError } from '@cloudhal/shared/errors';
import type { NodeBody, NodeKind } from '@cloudhal/shared/site/shapes';
import type { GraphNode, Track } from './node.ts';
import type { View } from './view.ts';

/** One node version that a call makes or ends, on one track. */
export type Change = { track: Track; id: string; kind: NodeKind; before?: GraphNode; after?: GraphNode };

/** Changes that follow later, and what stands for them. */
export type Foreseen = { changes: readonly Change[]; digest: string; at: Date };

/**
 * A site, to change. Changes are gathered here and stored together, as one snapshot, when the tool has returned; `node`,
 * `find`, `get` and `nodes` of the draft see them at once, lists and searches do not. A change that leaves everything as
 * it was is none. In a dry run the same code runs and nothing is stored.
 */
export interface Draft extends View {
  /** A new node of the draft, at rev 1. A taken address is `slug_taken`. */
  create<K extends NodeKind>(kind: K, body: NodeBody[K], options?: { id?: string }): Promise<GraphNode<K>>;
  /**
   * Changes a node of the draft. `rev` is the one that the caller read; another is `rev_conflict`, which names the
   * current rev, the members that changed since, and who changed them.
   */
  save<K extends NodeKind>(
    kind: K,
    ref: string,
    rev: number,
    change: (body: NodeBody[K], node: GraphNode<K>) => NodeBody[K] | Promise<NodeBody[K]>,
  ): Promise<GraphNode<K>>;
  /** As `save` with whole new bodies, of many nodes at once. */
  saveAll<K extends NodeKind>(
    kind: K,
    changes: readonly { id: string; rev: number; body: NodeBody[K] }[],
  ): Promise<void>;
  /** Moves a node of the draft to the trash. */
  remove(id: string, rev: number): Promise<GraphNode>;
  /** Gives a node of the draft another whole body, also out of the trash; `rev` as in `save`, absent where it has no draft. */
  restore<K extends NodeKind>(
    node: { id: string; kind: K },
    rev: number | undefined,
    body: NodeBody[K],
  ): Promise<GraphNode<K>>;

  /**
   * Puts versions on a track as they are in another state, or takes nodes off it where there is none; for publish,
   * unpublish, rollback and undo.
   */
  place(track: Track, versions: ReadonlyMap<string, GraphNode | undefined>): Promise<void>;

  /**
   * Says that these changes of the live track follow at `at`, by themselves: they are assessed as if the call made them, and
   * an approval binds to their digest.
   */
  foresees(foreseen: Foreseen): void;
  /** Says what the decision about the call rests on beside its changes: an approval binds to that, too. */
  binds(fact: unknown): void;

  /** Says that the track then has this digest, or nothing is stored; the proof that a rollback is exact. */
  proves(track: Track, digest: string): void;

  /** What has been changed so far. */
  readonly changes: readonly Change[];
  /** What the call is about: its changes, or those that it foresees. */
  readonly effects: readonly Change[];
  /** Says that something beside the tree changed, so that the call makes its snapshot. */
  touch(target: { id: string; rev?: number }): void;
  /** The name of the snapshot, for a restore point; it is the tool's name otherwise. */
  label(name: string): void;
  /**
   * Runs within the snapshot's transaction, in order, for rows that live beside the tree. `$1` is always the site's id.
   * With `expect`, another number of rows (as counted by RETURNING) undoes everything and is that error.
   */
  write(sql: string, values?: readonly unknown[], expect?: { rows: number; otherwise: CloudhalError }): void;
}
