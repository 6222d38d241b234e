/** Redirects: where an address of the site leads that has nothing of its own. */
import { type Static, Type } from 'typebox';
import { Locale } from './shapes.ts';

export const redirectStatuses = [301, 302, 307, 308, 410] as const;
export type RedirectStatus = (typeof redirectStatuses)[number];

export const RedirectBody = Type.Object({
  /** A path as readers ask for it, decoded: `/old/page`. */
  from: Type.String(),
  /** A path of the site, or an https address; absent with 410. */
  to: Type.Optional(Type.String()),
  /** The site's default locale: addresses of other locales begin with theirs. */
  locale: Locale,
  status: Type.Unsafe<RedirectStatus>({ type: 'integer', enum: [...redirectStatuses] }),
});
export type RedirectBody = Static<typeof RedirectBody>;
