import { fail } from '@cloudhal/shared/errors';
import { termPath } from '../graph/kinds.ts';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';

/** A taxonomy by name or id; else `validation_failed` naming those that there are. */
export async function getTaxonomy(view: View, ref: string, path = 'taxonomy'): Promise<GraphNode<'taxonomy'>> {
  const taxonomy = ref.startsWith('/') ? undefined : await view.find('taxonomy', ref);
  if (taxonomy) return taxonomy;
  const { items } = await view.list({ kind: 'taxonomy', sort: 'title', limit: 100 });
  const names = items.map(({ body }) => body.name).join(', ');
  throw fail('validation_failed', { path, expected: `one of ${names || 'none yet'}; propose_term can add one` });
}

/** A term of a taxonomy by slug or id. */
export async function findTerm(
  view: View,
  taxonomy: string,
  ref: string,
  at?: At,
): Promise<GraphNode<'term'> | undefined> {
  const term = await view.find('term', ref.startsWith('tm_') ? ref : termPath(taxonomy, ref), at);
  return term?.body.taxonomy === taxonomy ? term : undefined;
}

/** As `findTerm`; else `not_found`. */
export async function getTerm(view: View, taxonomy: string, ref: string): Promise<GraphNode<'term'>> {
  const term = await findTerm(view, taxonomy, ref);
  if (!term) throw fail('not_found', { what: `term of ${taxonomy}`, id: ref });
  return term;
}

/** Refuses terms that entries of a type cannot carry. Each must be there: no text makes terms by naming them. */
export async function checkTerms(
  view: View,
  type: string,
  terms: Record<string, readonly string[]>,
  path = 'terms',
): Promise<void> {
  for (const [name, slugs] of Object.entries(terms)) {
    const { body } = await getTaxonomy(view, name, `${path}.${name}`);
    if (body.name !== name || (body.types && !body.types.includes(type))) {
      throw fail('validation_failed', { path: `${path}.${name}`, expected: `a taxonomy for entries of type ${type}` });
    }
    const known = await knownTerms(view, name, slugs);
    const unknown = slugs.findIndex((slug) => !known.has(slug));
    if (unknown >= 0) {
      throw fail('validation_failed', {
        path: `${path}.${name}[${unknown}]`,
        expected: `a term of ${name}, and "${slugs[unknown]}" is none: list_terms shows them, propose_term makes one`,
      });
    }
  }
}

async function knownTerms(view: View, taxonomy: string, slugs: readonly string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set();
  const rows = await view.rows<{ slug: string }>(
    `SELECT slug FROM tools.ver WHERE site_id = $1 AND track = 'draft' AND kind = 'term' AND slug = ANY($2) AND type = $3
       AND to_seq IS NULL AND NOT deleted`,
    [slugs, taxonomy],
  );
  return new Set(rows.map(({ slug }) => slug));
}

/** The terms that words stand for, by slug, label or synonym, whatever their case. */
export async function termsNamed(view: View, taxonomy: string, words: readonly string[]): Promise<Map<string, string>> {
  const rows = await view.rows<{ slug: string; word: string }>(
    `SELECT v.slug, w.word FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     CROSS JOIN LATERAL (SELECT v.slug UNION SELECT lower(v.title)
       UNION SELECT lower(s) FROM jsonb_array_elements_text(coalesce(b.doc->'synonyms', '[]')) AS s) AS t (word)
     JOIN unnest($3::text[]) AS w (word) ON lower(w.word) = t.word
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.kind = 'term' AND v.type = $2 AND v.to_seq IS NULL AND NOT v.deleted
     ORDER BY v.slug DESC`,
    [taxonomy, words],
  );
  return new Map(rows.map(({ slug, word }) => [word, slug]));
}

/** How many entries of the draft carry each of the terms, by the term's path. */
export async function usages(view: View, paths: readonly string[]): Promise<Map<string, number>> {
  const rows = await view.rows<{ path: string; entries: number }>(
    `SELECT target AS path, count(*) AS entries FROM tools.edge
     WHERE site_id = $1 AND track = 'draft' AND role = 'term' AND target = ANY($2) GROUP BY 1`,
    [paths],
  );
  return new Map(rows.map(({ path, entries }) => [path, entries]));
}

/** Label and description of a term in a locale; in its own where it has no other. */
export function termWords({ body }: GraphNode<'term'>, locale: string): { label: string; description?: string } {
  const { label, description } = body.translations?.[locale] ?? body;
  return { label, ...(description !== undefined && { description }) };
}
