import { Type } from 'typebox';
import type { ContentTypeBody } from './shapes.ts';

const strict = { additionalProperties: false };

/** The content types that every site has from the start. */
export const builtInContentTypes: ContentTypeBody[] = [
  {
    name: 'article',
    title: 'Article',
    description: 'A text with a title and a Markdown body, published with a date.',
    pathPrefix: '/articles',
    hasBody: true,
    fields: Type.Object(
      {
        title: Type.String({ minLength: 1, maxLength: 300, description: 'The headline.' }),
        summary: Type.Optional(Type.String({ maxLength: 1000, description: 'What it says, in a sentence or two.' })),
        publishedOn: Type.Optional(
          Type.String({ format: 'date', maxLength: 10, description: 'The date shown, YYYY-MM-DD.' }),
        ),
        leadImage: Type.Optional(
          Type.String({ maxLength: 64, references: 'asset', description: 'The image over it and in lists: an asset.' }),
        ),
        seoTitle: Type.Optional(Type.String({ maxLength: 200, description: 'The title for search engines.' })),
        seoDescription: Type.Optional(
          Type.String({ maxLength: 500, description: 'The description for search engines.' }),
        ),
        source: Type.Optional(Type.String({ maxLength: 2000, description: 'Where it was imported from.' })),
      },
      strict,
    ) as unknown as Record<string, unknown>,
  },
];
