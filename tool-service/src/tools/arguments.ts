/** The arguments that tools share, so that each means the same everywhere. */
import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import type { At } from '../graph/node.ts';

/** One of a few words. */
export function Choice<const T extends readonly string[]>(values: T, description: string) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description });
}

/** An object whose members are checked by a content type, a section type or the handler. */
export function Members(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
}

export const Site = Type.Optional(
  Type.String({ maxLength: 96, description: "The site's id or slug. May be left out when you see only one." }),
);
export const Rev = Type.Integer({ minimum: 1, description: 'The rev you read.' });
export const RequestId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'Your own id for this call: repeating it within 24 h makes nothing twice.',
  }),
);
export const Note = Type.Optional(Type.String({ maxLength: 500, description: 'Why; kept with the snapshot.' }));
export const Cursor = Type.Optional(Type.String({ maxLength: 1024, description: 'The cursor of the last page.' }));
export function Limit(max = 100) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: max, description: 'How many.' }));
}
export const PageRef = Type.String({ minLength: 1, maxLength: 2048, description: "The page's id or path." });
export const EntryRef = Type.String({ minLength: 1, maxLength: 2048, description: "The entry's id, path or slug." });
export const NodeRef = Type.String({ minLength: 1, maxLength: 64, description: "The node's id." });
export const SnapshotRef = Type.String({ minLength: 1, maxLength: 64, description: "The snapshot's id." });
export const LocaleArg = Type.Optional(Type.String({ maxLength: 35, description: 'A locale, such as en or pt-BR.' }));
export const SlugArg = Type.String({ maxLength: 96, description: 'Lower-case letters, digits and hyphens.' });
export const ViewArg = Type.Optional(Choice(['draft', 'live', 'snapshot'], 'Which state; draft when absent.'));
export const SnapshotOfView = Type.Optional(Type.String({ maxLength: 64, description: 'With view snapshot: its id.' }));
export const SetFields = Members('Fields to set; all others stay as they are.');
export const UnsetFields = Type.Optional(
  Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50, description: 'Fields to remove.' }),
);
export const BodyText = Type.String({ maxLength: 409_600, description: 'The body in Markdown.' });
export const MaxTokens = Type.Optional(
  Type.Integer({ minimum: 100, maximum: 50_000, description: 'Cuts the body to about this many tokens.' }),
);

/** The state that the arguments `view`, `snapshot` and `locale` ask for. */
export function stateAsked(args: { view?: 'draft' | 'live' | 'snapshot'; snapshot?: string; locale?: string }): At {
  const asked = args.view ?? 'draft';
  if ((asked === 'snapshot') !== (args.snapshot !== undefined)) {
    throw fail('validation_failed', { path: 'snapshot', expected: 'it goes with view "snapshot", and only with it' });
  }
  return {
    track: asked === 'live' ? 'live' : 'draft',
    ...(args.snapshot !== undefined && { snapshot: args.snapshot }),
    ...(args.locale !== undefined && { locale: args.locale }),
  };
}
