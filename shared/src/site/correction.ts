import { type Static, Type } from 'typebox';

export const correctionKinds = ['correction', 'clarification', 'update', 'retraction'] as const;
export type CorrectionKind = (typeof correctionKinds)[number];

/** What an entry tells its readers was wrong, and what is right. */
export const Correction = Type.Object({
  /** `co_…` */
  id: Type.String(),
  kind: Type.Unsafe<CorrectionKind>({ type: 'string', enum: [...correctionKinds] }),
  /** Plain text. */
  text: Type.String(),
  /** YYYY-MM-DD. */
  correctedAt: Type.String(),
});
export type Correction = Static<typeof Correction>;
