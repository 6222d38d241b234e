import { Type } from 'typebox';
import type { SiteHead } from '../../graph/view.ts';

/** A site as tools return it. */
export const SiteHeadData = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  title: Type.String(),
  locales: Type.Array(Type.String()),
  defaultLocale: Type.String(),
  /** The newest snapshot, and the one that last changed what readers see. */
  snapshot: Type.String(),
  liveSnapshot: Type.String(),
  /** Nodes whose draft differs from what is live. */
  unpublished: Type.Optional(Type.Integer()),
});

export function siteHead({ id, slug, title, locales, defaultLocale, snapshot, liveSnapshot }: SiteHead) {
  return { id, slug, title, locales, defaultLocale, snapshot, liveSnapshot };
}
