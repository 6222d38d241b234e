/** The arguments that tools share, so that each means the same everywhere. */
import { fail } from '@cloudhal/shared/errors';
import { sectionTypes } from '@cloudhal/shared/site/section-types';
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

export const Site = Type.Optional(Type.String({ maxLength: 96, description: 'Its id or slug.' }));
/** The rev that the caller read with the tool `from`. */
export function Rev(from: string) {
  return Type.Integer({ minimum: 1, description: `From ${from}.` });
}
export const RequestId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'Your id for this call: a repeat within 24 h does nothing.',
  }),
);
export const Note = Type.Optional(Type.String({ maxLength: 500, description: 'Why; kept.' }));
export const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Why; shown to who decides.',
});
export const Cursor = Type.Optional(Type.String({ maxLength: 1024, description: 'Of the last page.' }));
export function Limit(max = 100) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: max, description: 'How many.' }));
}
export const PageRef = Type.String({ minLength: 1, maxLength: 2048, description: 'Its id or path.' });
export const EntryRef = Type.String({ minLength: 1, maxLength: 2048, description: 'Its id, path or slug.' });
export const NodeRef = Type.String({ minLength: 1, maxLength: 2048, description: 'Its id or path.' });
export const NodeId = Type.String({ minLength: 1, maxLength: 64, description: 'Its id.' });
export const SnapshotRef = Type.String({ minLength: 1, maxLength: 64, description: 'Its id.' });
export const LocaleArg = Type.Optional(Type.String({ maxLength: 35, description: 'Such as en or pt-BR.' }));
export const LocaleInto = Type.String({ maxLength: 35, description: 'The locale to translate into.' });
export const SlugArg = Type.String({ maxLength: 96, description: 'Lower-case, digits, hyphens.' });
export const Since = Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601: only what is newer.' }));
export const TimeArg = (description: string) => Type.String({ maxLength: 40, description });
export const TimeZoneArg = Type.Optional(
  Type.String({ maxLength: 64, description: 'IANA zone, for a time without an offset.' }),
);
export const DryRun = Type.Optional(Type.Boolean({ description: 'Only says what would happen.' }));
export const InboundLinks = Type.Optional(
  Choice(['refuse', 'allow'], 'What to do when others link to it: refuse (default), or allow broken links.'),
);
export const ViewArg = Type.Optional(Choice(['draft', 'live', 'snapshot'], 'Draft when absent.'));
export const SnapshotOfView = Type.Optional(Type.String({ maxLength: 64, description: 'For view snapshot: its id.' }));
export const UnsetFields = Type.Optional(
  Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50, description: 'Fields to remove.' }),
);
export const SeoArg = Type.Optional(
  Type.Object(
    {
      title: Type.Optional(Type.String({ maxLength: 200, description: 'Title for search engines.' })),
      description: Type.Optional(Type.String({ maxLength: 500, description: 'Description for search engines.' })),
      noindex: Type.Optional(Type.Boolean({ description: 'Keeps search engines away.' })),
    },
    { additionalProperties: false, description: 'For search engines.' },
  ),
);
export const TitleArg = Type.String({ minLength: 1, maxLength: 300, description: 'The title.' });
export const SectionRef = Type.String({ minLength: 1, maxLength: 64, description: "The section's id." });
export const SectionTypeArg = Choice(Object.keys(sectionTypes), 'A section type.');
export const SectionProps = Members("The type's props.");
export const SectionInputs = Type.Array(
  Type.Object({ type: SectionTypeArg, props: SectionProps }, { additionalProperties: false }),
  { maxItems: 200, description: 'Sections in order.' },
);
export const PositionArg = Type.Object(
  {
    after: Type.Optional(Type.String({ maxLength: 64, description: 'Behind this section.' })),
    before: Type.Optional(Type.String({ maxLength: 64, description: 'In front of this section.' })),
    index: Type.Optional(Type.Integer({ minimum: 0, description: 'At this place, from 0.' })),
  },
  { additionalProperties: false, description: 'Where it goes: one of them. The end when absent.' },
);
export const ContentTypeArg = Type.String({ maxLength: 64, description: 'A content type, such as article.' });
const TermSlugs = (description: string) => Type.Optional(Members(description));
export const TermsChange = Type.Optional(
  Type.Object(
    { add: TermSlugs('Slugs to add, by taxonomy.'), remove: TermSlugs('Slugs to remove, by taxonomy.') },
    { additionalProperties: false, description: 'Terms to add and remove.' },
  ),
);
export const BylinesArg = Type.Optional(
  Type.Array(Type.String({ maxLength: 96 }), {
    maxItems: 20,
    description: 'People who wrote it, by id or slug, in order.',
  }),
);
export const BodyText = Type.String({ maxLength: 409_600, description: 'The body in Markdown.' });
export const MaxTokens = Type.Optional(
  Type.Integer({
    minimum: 100,
    maximum: 50_000,
    description: 'Ends the text at about so many tokens; 20000 when absent.',
  }),
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
