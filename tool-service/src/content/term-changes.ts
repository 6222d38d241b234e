import { fail } from '@cloudhal/shared/errors';
import type { TaxonomyBody, TermBody } from '@cloudhal/shared/site/taxonomy';
import type { Draft } from '../graph/draft.ts';
import { termPath } from '../graph/kinds.ts';
import type { GraphNode } from '../graph/node.ts';
import { everLive } from './move-page.ts';
import { leadOn } from './redirects.ts';
import { checkSlug, checkTopSlug, slugFrom } from './slug.ts';
import { getTerm } from './taxonomies.ts';
import { mergeTerms } from './terms.ts';
import { refuseLinked } from './uses.ts';

type Term = GraphNode<'term'>;
export const maxUsages = 1_000;
export const maxTermDepth = 6;

export type NewTerm = {
  label: string;
  slug?: string;
  description?: string;
  synonyms?: string[];
  /** A term by slug or id. */
  parent?: string;
};

export async function createTaxonomy(
  draft: Draft,
  { name, ...more }: Omit<TaxonomyBody, 'locale'>,
): Promise<GraphNode<'taxonomy'>> {
  checkTopSlug(name, 'taxonomy');
  if (await draft.find('taxonomy', name)) throw fail('slug_taken', { slug: name, by: 'another taxonomy' });
  for (const type of more.types ?? []) await draft.contentType(type);
  const { locales, defaultLocale } = await draft.head();
  const { items: types } = await draft.list({ kind: 'content_type', limit: 100 });
  const type = types.find(({ body }) => body.pathPrefix === `/${name}`);
  if (type) throw fail('slug_taken', { slug: `/${name}`, by: `the content type ${type.body.name}` });
  if (locales.includes(name)) throw fail('slug_taken', { slug: `/${name}`, by: 'a locale of the site' });
  return draft.create('taxonomy', { name, ...more, locale: defaultLocale });
}

export async function createTerm(draft: Draft, taxonomy: TaxonomyBody, term: NewTerm): Promise<Term> {
  const { parent, slug, ...words } = term;
  return draft.create('term', {
    taxonomy: taxonomy.name,
    slug: slug === undefined ? slugFrom(term.label, 'set.slug') : checkSlug(slug, 'set.slug'),
    ...words,
    ...(parent !== undefined && { parent: (await parentOf(draft, taxonomy, parent)).id }),
    locale: (await draft.head()).defaultLocale,
  });
}

/** Gives a term another slug. The entries that carry it go along, and its old address leads on where readers knew it. */
export async function renameTerm(draft: Draft, term: Term, rev: number, slug: string): Promise<Term> {
  const renamed = await draft.save('term', term.id, rev, (body) => ({ ...body, slug: checkSlug(slug, 'set.slug') }));
  if (renamed.body.slug === term.body.slug) return renamed;
  await moveUsages(draft, term.body, renamed.body.slug);
  await leadOnFrom(draft, term, renamed);
  return renamed;
}

/** Puts a term under another, or at the top. */
export async function moveTerm(
  draft: Draft,
  taxonomy: TaxonomyBody,
  term: Term,
  rev: number,
  to?: string,
): Promise<Term> {
  const parent = to === undefined ? undefined : await parentOf(draft, taxonomy, to, term);
  return draft.save('term', term.id, rev, ({ parent: _, ...body }) => ({
    ...body,
    ...(parent && { parent: parent.id }),
  }));
}

/** Makes one term of two: entries and the terms below it go over to the other, whose synonym its label becomes. */
export async function mergeTerm(draft: Draft, term: Term, rev: number, into: Term): Promise<Term> {
  if (into.id === term.id) throw fail('validation_failed', { path: 'into', expected: 'another term' });
  const chain = await above(draft, into);
  if (chain.some(({ id }) => id === term.id)) {
    throw fail('validation_failed', {
      path: 'into',
      expected: 'a term that is not below the one that goes; move it first',
    });
  }
  await moveUsages(draft, term.body, into.body.slug);
  for (const child of await childrenOf(draft, term)) {
    await draft.save('term', child.id, child.rev, (body) => ({ ...body, parent: into.id }));
  }
  const synonyms = [...new Set([...(into.body.synonyms ?? []), term.body.label, ...(term.body.synonyms ?? [])])];
  const merged = await draft.save('term', into.id, into.rev, (body) => ({ ...body, synonyms: synonyms.slice(0, 50) }));
  await draft.remove(term.id, rev);
  await leadOnFrom(draft, term, into);
  return merged;
}

/** Moves a term to the trash; refused while entries carry it, other terms are below it, or something links to it. */
export async function deleteTerm(draft: Draft, term: Term, rev: number): Promise<Term> {
  await refuseLinked(draft, term);
  return (await draft.remove(term.id, rev)) as Term;
}

async function parentOf(draft: Draft, taxonomy: TaxonomyBody, ref: string, of?: Term): Promise<Term> {
  const path = 'set.parent';
  if (!taxonomy.hierarchical) {
    throw fail('validation_failed', {
      path,
      expected: `none: the terms of ${taxonomy.name} have no order above each other`,
    });
  }
  const parent = await getTerm(draft, taxonomy.name, ref);
  const chain = [parent, ...(await above(draft, parent))];
  if (of && chain.some(({ id }) => id === of.id)) {
    throw fail('validation_failed', { path, expected: 'a term that is not this one nor below it' });
  }
  if (chain.length + (of ? await levelsBelow(draft, of) : 0) >= maxTermDepth) {
    throw fail('limit_exceeded', { what: 'The depth of the term', max: maxTermDepth });
  }
  return parent;
}

/** The terms above one, from the next one up. */
async function above(draft: Draft, term: Term): Promise<Term[]> {
  const chain: Term[] = [];
  for (let at = term; at.body.parent !== undefined && chain.length <= maxTermDepth; ) {
    const parent = await draft.find('term', at.body.parent);
    if (!parent) break;
    chain.push(parent);
    at = parent;
  }
  return chain;
}

/** Asked as one question: a term may have thousands below it. */
async function levelsBelow(draft: Draft, term: Term): Promise<number> {
  const [row] = await draft.rows<{ levels: number }>(
    `SELECT max(b.depth)::int AS levels FROM (
       WITH RECURSIVE below (id, depth) AS (
         SELECT v.node_id, 0 FROM tools.ver v WHERE v.site_id = $1 AND v.track = 'draft' AND v.node_id = $2 AND v.to_seq IS NULL
         UNION ALL
         SELECT v.node_id, b.depth + 1 FROM below b JOIN tools.ver v ON v.site_id = $1 AND v.track = 'draft'
           AND v.kind = 'term' AND v.parent = b.id AND v.to_seq IS NULL AND NOT v.deleted
         WHERE b.depth < ${maxTermDepth}
       ) SELECT depth FROM below
     ) AS b`,
    [term.id],
  );
  return row!.levels;
}

async function childrenOf(draft: Draft, term: Term): Promise<Term[]> {
  const children: Term[] = [];
  let cursor: string | undefined;
  do {
    const page = await draft.list({
      kind: 'term',
      parent: term.id,
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    });
    children.push(...page.items);
    cursor = page.cursor;
    if (children.length > maxUsages)
      throw fail('limit_exceeded', { what: 'The number of terms below', max: maxUsages });
  } while (cursor !== undefined);
  return children;
}

/** Gives each entry that carries a term the other one instead. */
export async function moveUsages(draft: Draft, { taxonomy, slug }: TermBody, to: string): Promise<void> {
  const rows = await draft.rows<{ id: string }>(
    `SELECT source AS id FROM tools.edge WHERE site_id = $1 AND track = 'draft' AND role = 'term' AND target = $2
     ORDER BY source LIMIT ${maxUsages + 1}`,
    [termPath(taxonomy, slug)],
  );
  if (rows.length > maxUsages) {
    throw fail('limit_exceeded', {
      what: 'The number of entries with this term (assign_terms moves some first)',
      max: maxUsages,
    });
  }
  // As this call leaves them: one that it changed may carry another by now.
  const entries = (await draft.nodes(rows.map((row) => row.id))) as GraphNode<'entry'>[];
  for (const { id, rev, body } of entries) {
    if (!body.terms?.[taxonomy]?.includes(slug)) continue;
    await draft.save('entry', id, rev, ({ terms = {}, ...entry }) => ({
      ...entry,
      terms: mergeTerms(terms, { add: { [taxonomy]: [to] }, remove: { [taxonomy]: [slug] } }),
    }));
  }
}

async function leadOnFrom(draft: Draft, from: Term, to: Term): Promise<void> {
  if (await everLive(draft, [from.id])) await leadOn(draft, [{ from: from.path!, to: to.path! }]);
}
