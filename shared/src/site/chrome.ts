import { type Static, Type } from 'typebox';

/** What surrounds every page: header, banner and footer. One node for each site. */
export const ChromeBody = Type.Object({
  /** By name, such as `header.menu` or `banner.text`; words of another locale under `banner.text.de`. */
  slots: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()])),
});
export type ChromeBody = Static<typeof ChromeBody>;
