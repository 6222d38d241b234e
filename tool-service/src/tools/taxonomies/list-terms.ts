import { Type } from 'typebox';
import { siteLocale } from '../../content/entries.ts';
import { getTaxonomy, getTerm, termWords, usages } from '../../content/taxonomies.ts';
import { Input, readTool } from '../../define-tool.ts';
import { fromCursor, paged, toCursor } from '../../graph/cursor.ts';
import type { GraphNode } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { Cursor, Limit, LocaleArg, Site } from '../arguments.ts';
import { TaxonomyArg, TermData, termData } from './taxonomy-data.ts';

export const listTerms = readTool({
  name: 'list_terms',
  title: 'List terms',
  description: 'The terms of a taxonomy by label, with how many entries of the draft carry each.',
  scopes: ['content:read'],
  toolsets: ['editorial'],
  input: Input({
    site: Site,
    taxonomy: TaxonomyArg,
    parent: Type.Optional(
      Type.String({ minLength: 1, maxLength: 96, description: 'Only those right below this term; / for the top.' }),
    ),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 120,
        description: 'Part of a label, in any locale, a synonym or a slug.',
      }),
    ),
    locale: LocaleArg,
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Type.Object({ terms: Type.Array(TermData) }),
  async run({ taxonomy: ref, parent, q, locale: asked, cursor: from, limit = 50 }, view) {
    const { body } = await getTaxonomy(view, ref);
    const locale = await siteLocale(view, asked);
    const above = parent === undefined || parent === '/' ? parent : (await getTerm(view, body.name, parent)).id;
    const page = await matching(view, { taxonomy: body.name, above, q, from, limit });
    const nodes = (await view.nodes(page.items.map(({ id }) => id))) as GraphNode<'term'>[];
    const used = await usages(
      view,
      nodes.map(({ path }) => path!),
    );
    const terms = await Promise.all(
      nodes.map(async (node) => ({
        ...termData(node),
        ...termWords(node, locale),
        entries: used.get(node.path!) ?? 0,
        status: await view.status(node),
      })),
    );
    return { data: { terms }, ...(page.cursor !== undefined && { cursor: page.cursor }) };
  },
});

type Query = {
  taxonomy: string;
  above?: string | undefined;
  q?: string | undefined;
  from?: string | undefined;
  limit: number;
};

async function matching(view: View, { taxonomy, above, q, from, limit }: Query) {
  const [title, last] = from === undefined ? ['', ''] : fromCursor(from, 'string', 'string');
  const rows = await view.rows<{ id: string; title: string }>(
    `SELECT v.node_id AS id, v.title FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.kind = 'term' AND v.type = $2 AND v.to_seq IS NULL AND NOT v.deleted
       AND ($3::text IS NULL OR coalesce(v.parent, '/') = $3)
       AND ($4::text IS NULL OR position(lower($4) IN lower(concat_ws(' ', v.slug, v.title,
         (SELECT string_agg(s, ' ') FROM jsonb_array_elements_text(coalesce(b.doc->'synonyms', '[]')) AS s),
         (SELECT string_agg(t.value->>'label', ' ') FROM jsonb_each(coalesce(b.doc->'translations', '{}')) AS t)))) > 0)
       AND (v.title, v.node_id) > ($5, $6)
     ORDER BY v.title, v.node_id LIMIT $7`,
    [taxonomy, above ?? null, q ?? null, title, last, limit + 1],
  );
  return paged(rows, limit, (row) => toCursor(row.title, row.id));
}
