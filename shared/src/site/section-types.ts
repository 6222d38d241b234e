import { type Static, type TSchema, Type } from 'typebox';

const Text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const Href = Type.String({
  maxLength: 2000,
  pattern: '^(?:/(?![/\\\\])|#|https?://[^/]|mailto:|tel:)',
  title: 'Address',
  description: 'A path on the site, or an http(s), mailto or tel address.',
});
const Link = Type.Object({ label: Text(120, 'What the link says.'), href: Href }, { additionalProperties: false });

const Image = (description: string) =>
  Type.String({ maxLength: 64, pattern: '^as_[0-9a-hjkmnp-tv-z]{26}$', references: 'asset', description });

function sectionType<S extends TSchema>(title: string, description: string, props: S, example: Static<S>) {
  return { title, description, props, example: example as Record<string, unknown> };
}

const strict = { additionalProperties: false };

/** The sections that a page can be made of, with the schema of their props and a minimal valid example. The theme renders each. */
export const sectionTypes = {
  hero: sectionType(
    'Hero',
    'The opening of a page: a heading, a line of text, and at most two links.',
    Type.Object(
      {
        heading: Text(200, 'The heading.'),
        text: Type.Optional(Text(1000, 'A line under it.')),
        image: Type.Optional(Image('An image over it: the id of an asset.')),
        links: Type.Optional(Type.Array(Link, { maxItems: 2 })),
      },
      strict,
    ),
    { heading: 'Welcome' },
  ),
  text: sectionType(
    'Text',
    'Running text in Markdown.',
    Type.Object({ markdown: Type.String({ maxLength: 100_000, title: 'Text', description: 'Markdown.' }) }, strict),
    { markdown: 'Some text.' },
  ),
  image: sectionType(
    'Image',
    'An image with what is said under it. Alt text, caption and credit are those of the asset unless given here.',
    Type.Object(
      {
        asset: Image('The id of an asset.'),
        alt: Type.Optional(Text(1000, 'What it shows here.')),
        caption: Type.Optional(Text(1000, 'A line under it.')),
      },
      strict,
    ),
    { asset: 'as_00000000000000000000000000' },
  ),
  cards: sectionType(
    'Cards',
    'A grid of short items that may link elsewhere.',
    Type.Object(
      {
        heading: Type.Optional(Text(200, 'A heading over the grid.')),
        items: Type.Array(
          Type.Object(
            {
              title: Text(200, 'The title.'),
              text: Type.Optional(Text(1000, 'A short text.')),
              href: Type.Optional(Href),
            },
            strict,
          ),
          { maxItems: 48 },
        ),
      },
      strict,
    ),
    { items: [{ title: 'One' }] },
  ),
  entries: sectionType(
    'Entries',
    'The newest published entries of a type.',
    Type.Object(
      {
        heading: Type.Optional(Text(200, 'A heading.')),
        type: Type.String({
          maxLength: 64,
          title: 'Content type',
          references: 'content_type',
          description: 'Such as article.',
        }),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'How many; 10 when absent.' })),
      },
      strict,
    ),
    { type: 'article' },
  ),
  quote: sectionType(
    'Quote',
    'A quotation with its source.',
    Type.Object({ text: Text(2000, 'The quotation.'), source: Type.Optional(Text(200, 'Who said it.')) }, strict),
    { text: 'Well said.' },
  ),
  call_to_action: sectionType(
    'Call to action',
    'A short text and one link.',
    Type.Object({ text: Text(500, 'The text.'), link: Link }, strict),
    { text: 'Read on.', link: { label: 'Articles', href: '/articles' } },
  ),
};
export type SectionType = keyof typeof sectionTypes;
