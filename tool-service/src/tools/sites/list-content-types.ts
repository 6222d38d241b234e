import { sectionTypes } from '@cloudhal/shared/site/section-types';
import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import { Site } from '../arguments.ts';
import { contentTypes } from './content-types.ts';

const Named = Type.Object({ name: Type.String(), title: Type.String(), description: Type.String() });

export const listContentTypes = readTool({
  name: 'list_content_types',
  title: 'List content types',
  description: 'The types that entries can have, those that the sections of a page can have, and the taxonomies.',
  scopes: ['schema:read'],
  toolsets: ['editorial'],
  input: Input({ site: Site }),
  output: Type.Object({
    contentTypes: Type.Array(Named),
    sectionTypes: Type.Array(Named),
    taxonomies: Type.Array(Named),
  }),
  async run(_, view) {
    const sections = Object.entries(sectionTypes).map(([name, { title, description }]) => ({
      name,
      title,
      description,
    }));
    const taxonomies = (await view.list({ kind: 'taxonomy', sort: 'title', limit: 100 })).items.map(
      ({ body: { name, title, description = title } }) => ({ name, title, description }),
    );
    return { data: { contentTypes: await contentTypes(view), sectionTypes: sections, taxonomies } };
  },
});
