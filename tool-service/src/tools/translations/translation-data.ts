import { Type } from 'typebox';
import type { Translatable } from '../../content/translations.ts';

/** Rows whose members the handler names. */
export const Rows = Type.Array(Type.Unsafe<object>({ type: 'object' }));

/** A translation as writes return it. */
export const VariantData = Type.Object({
  id: Type.String(),
  locale: Type.String(),
  path: Type.Optional(Type.String()),
  of: Type.Optional(Type.String()),
  rev: Type.Integer(),
});

export function variantHead({ id, rev, path, body }: Translatable) {
  return {
    id,
    locale: body.locale,
    ...(path !== undefined && { path }),
    ...(body.translation && { of: body.translation.of }),
    rev,
  };
}
