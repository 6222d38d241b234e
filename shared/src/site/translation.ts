import { type Static, Type } from 'typebox';

/** Says of a node that it is the translation of another into its locale. */
export const Translation = Type.Object({
  /** The id of the original. */
  of: Type.String(),
  /** The rev of the original's draft that it was last made from. */
  rev: Type.Integer(),
});
export type Translation = Static<typeof Translation>;

/** Which text of the original each translated text was made from: a short digest, by the name of the text. */
export const Translated = Type.Record(Type.String(), Type.String());
export type Translated = Static<typeof Translated>;
