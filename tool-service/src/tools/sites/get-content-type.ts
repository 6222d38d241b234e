import { fail } from '@cloudhal/shared/errors';
import { type SectionType, sectionTypes } from '@cloudhal/shared/site/section-types';
import { Type } from 'typebox';
import { exampleOf } from '../../content/example.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { View } from '../../graph/view.ts';
import { Choice, Site } from '../arguments.ts';
import { createPage } from '../pages/create-page.ts';

const kinds = ['entry', 'section', 'page'] as const;
type Described = {
  kind: (typeof kinds)[number];
  rev?: number;
  name: string;
  title: string;
  schema: object;
  example?: unknown;
};

export const getContentType = readTool({
  name: 'get_content_type',
  title: 'Read a content type',
  description:
    "The JSON Schema of an entry's fields, of a section's props, or of a new page, with a minimal valid example.",
  scopes: ['schema:read'],
  toolsets: ['editorial'],
  input: Input({
    site: Site,
    type: Type.String({ minLength: 1, maxLength: 64, description: 'A name from list_content_types, or page.' }),
    kind: Type.Optional(Choice(kinds, 'Where the same name stands for more than one.')),
  }),
  output: Type.Object({ kind: Type.String(), name: Type.String(), schema: Type.Unsafe<object>({ type: 'object' }) }),
  async run({ type, kind }, view) {
    return { data: await described(view, type, kind) };
  },
});

const examplePage = {
  title: 'About',
  slug: 'about',
  sections: [{ type: 'hero', props: sectionTypes.hero.example }],
};

async function described(view: View, name: string, kind: string | undefined): Promise<Described> {
  if (kind === 'page' || (kind === undefined && name === 'page')) {
    return { kind: 'page', name: 'page', title: 'Page', schema: createPage.facts.inputSchema, example: examplePage };
  }
  const { items } = await view.list({ kind: 'content_type', limit: 100 });
  const entryTypes = items.map(({ body }) => body);
  const entry = kind === 'section' ? undefined : items.find(({ body }) => body.name === name);
  if (entry) {
    const { title, description, pathPrefix, hasBody, fields } = entry.body;
    const example = exampleOf(fields);
    const about = { title, description, pathPrefix, hasBody, schema: fields };
    return { kind: 'entry', name, rev: entry.rev, ...about, ...(example !== undefined && { example }) };
  }
  if (kind !== 'entry' && Object.hasOwn(sectionTypes, name)) {
    const { title, description, props, example } = sectionTypes[name as SectionType];
    return { kind: 'section', name, title, ...{ description }, schema: props, example };
  }
  const names = [...entryTypes.map((type) => type.name), ...Object.keys(sectionTypes), 'page'];
  throw fail('validation_failed', { path: 'type', expected: `one of ${names.join(', ')}` });
}
