import { type Static, Type } from 'typebox';
import { Slug } from './slug.ts';

/** Somebody who writes for the site, as readers may know them: a record holds nothing that is not for the public. */
export const PersonBody = Type.Object({
  name: Type.String(),
  slug: Slug,
  role: Type.Optional(Type.String()),
  bio: Type.Optional(Type.String()),
  /** Where readers find more of them. */
  url: Type.Optional(Type.String()),
});
export type PersonBody = Static<typeof PersonBody>;
