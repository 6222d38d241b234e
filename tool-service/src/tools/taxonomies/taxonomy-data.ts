import { Type } from 'typebox';
import type { GraphNode } from '../../graph/node.ts';

export const TaxonomyArg = Type.String({ minLength: 1, maxLength: 96, description: 'A taxonomy, such as topics.' });

/** A taxonomy as tools return it. */
export const TaxonomyData = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: Type.String(),
  hierarchical: Type.Boolean(),
  rev: Type.Integer(),
});

export function taxonomyData({ id, rev, path, body }: GraphNode<'taxonomy'>) {
  const { name, title, description, hierarchical, types } = body;
  return {
    id,
    name,
    title,
    ...(description !== undefined && { description }),
    hierarchical,
    ...(types && { types }),
    ...(path !== undefined && { path }),
    rev,
  };
}

/** A term as tools return it. */
export const TermData = Type.Object({
  id: Type.String(),
  taxonomy: Type.String(),
  slug: Type.String(),
  label: Type.String(),
  rev: Type.Integer(),
});

export function termData({ id, rev, path, body }: GraphNode<'term'>) {
  const { taxonomy, slug, label, description, parent, synonyms, translations } = body;
  return {
    id,
    taxonomy,
    slug,
    label,
    ...(description !== undefined && { description }),
    ...(parent !== undefined && { parent }),
    ...(synonyms && { synonyms }),
    ...(translations && { translations }),
    ...(path !== undefined && { path }),
    rev,
  };
}
