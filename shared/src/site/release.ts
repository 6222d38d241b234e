import { type Static, Type } from 'typebox';

export const ReleaseItem = Type.Object({
  node: Type.String(),
  /** What becomes of it for readers. */
  op: Type.Union([Type.Literal('publish'), Type.Literal('unpublish')]),
  /** The rev of its draft that goes live; the draft as it then is when absent. */
  rev: Type.Optional(Type.Integer()),
});
export type ReleaseItem = Static<typeof ReleaseItem>;

/** A named group of changes that go live together. It is about the site and never live itself. */
export const ReleaseBody = Type.Object({
  title: Type.String(),
  note: Type.Optional(Type.String()),
  items: Type.Array(ReleaseItem),
  /** What it was scheduled for. It fires only while tool-service's row beside the tree says the same. */
  schedule: Type.Optional(
    Type.Object({
      /** ISO 8601, in UTC. */
      at: Type.String(),
      timeZone: Type.Optional(Type.String()),
      /** Of what goes live. */
      digest: Type.String(),
    }),
  ),
});
export type ReleaseBody = Static<typeof ReleaseBody>;
