import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import { Site } from '../arguments.ts';
import { TaxonomyData, taxonomyData } from './taxonomy-data.ts';

export const listTaxonomies = readTool({
  name: 'list_taxonomies',
  title: 'List taxonomies',
  description:
    'What entries are sorted by: each taxonomy, the content types that it is for, and how many terms it has.',
  scopes: ['content:read'],
  toolsets: ['editorial'],
  input: Input({ site: Site }),
  output: Type.Object({ taxonomies: Type.Array(TaxonomyData) }),
  async run(_, view) {
    const [{ items }, counts] = await Promise.all([
      view.list({ kind: 'taxonomy', sort: 'title', limit: 100 }),
      view.counts('term'),
    ]);
    const terms = (name: string) =>
      counts
        .filter(({ type, status }) => type === name && status !== 'trash')
        .reduce((sum, { nodes }) => sum + nodes, 0);
    return {
      data: {
        taxonomies: items.map((node) => ({
          ...taxonomyData(node),
          terms: terms(node.body.name),
          status: node.status,
        })),
      },
    };
  },
});
