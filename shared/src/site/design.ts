import { type Static, Type } from 'typebox';

/** How the site looks: a preset, and the tokens in which it differs. One node for each site. */
export const DesignBody = Type.Object({
  preset: Type.String(),
  /** By name, such as `light.accent` or `type.size`. */
  tokens: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});
export type DesignBody = Static<typeof DesignBody>;
