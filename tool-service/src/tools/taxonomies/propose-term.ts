import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { conform } from '../../content/conform.ts';
import { siteLocale } from '../../content/entries.ts';
import { getTaxonomy, getTerm } from '../../content/taxonomies.ts';
import {
  createTaxonomy,
  createTerm,
  deleteTerm,
  mergeTerm,
  moveTerm,
  type NewTerm,
  renameTerm,
} from '../../content/term-changes.ts';
import { Input, writeTool } from '../../define-tool.ts';
import type { Draft } from '../../graph/draft.ts';
import type { GraphNode } from '../../graph/node.ts';
import { Choice, Members, RequestId, Site } from '../arguments.ts';
import { TaxonomyArg, taxonomyData, termData } from './taxonomy-data.ts';

const ops = ['create', 'describe', 'translate', 'rename', 'move', 'merge', 'delete', 'create_taxonomy'] as const;
type Op = (typeof ops)[number];

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const words = {
  label: text(120),
  description: text(1000),
  synonyms: { type: 'array', maxItems: 50, items: text(120) },
};
const parent = text(96);
const slug = text(96);

/** What `set` may have for each operation, and must have. */
const sets: Record<Op, { may: Record<string, object>; must: string[] }> = {
  create: { may: { ...words, slug, parent }, must: ['label'] },
  describe: { may: words, must: [] },
  translate: { may: { locale: text(35), label: text(120), description: text(1000) }, must: ['locale', 'label'] },
  rename: { may: { slug }, must: ['slug'] },
  move: { may: { parent }, must: ['parent'] },
  merge: { may: {}, must: [] },
  delete: { may: {}, must: [] },
  create_taxonomy: {
    may: {
      title: text(120),
      description: text(1000),
      hierarchical: { type: 'boolean' },
      types: { type: 'array', minItems: 1, maxItems: 50, items: text(64) },
    },
    must: ['title'],
  },
};
const schemas = Object.fromEntries(
  ops.map((op) => {
    const { may: properties, must: required } = sets[op];
    return [op, { type: 'object', properties, required, additionalProperties: false }];
  }),
);

export const proposeTerm = writeTool({
  name: 'propose_term',
  title: 'Propose a term',
  description:
    'Changes a taxonomy. create, describe and translate apply at once; the others wait for a person, and the entries with the term follow.',
  effect: 'edit',
  scopes: ['taxonomy:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: false },
  exclusive: true,
  assess: true,
  input: Input({
    site: Site,
    op: Choice(ops, 'What to do.'),
    taxonomy: TaxonomyArg,
    term: Type.Optional(
      Type.String({ minLength: 1, maxLength: 96, description: 'The slug or id of the term; not for create.' }),
    ),
    rev: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The rev that list_terms returned: refused if it moved.' }),
    ),
    into: Type.Optional(Type.String({ minLength: 1, maxLength: 96, description: 'With merge: the term that stays.' })),
    set: Type.Optional(
      Members(
        'create, describe: label, description, synonyms; create: slug, parent; translate: locale, label, description; rename: slug; move: parent, / for the top; create_taxonomy: title, description, hierarchical, types.',
      ),
    ),
    reason: Type.String({ minLength: 1, maxLength: 500, description: 'Why; shown to whoever approves.' }),
    requestId: RequestId,
  }),
  output: Type.Object({ id: Type.String(), rev: Type.Integer() }),
  async run({ op, taxonomy: name, term: ref, rev: sent, into, set = {} }, draft) {
    conform(schemas[op]!, set, 'set');
    const isNew = op === 'create' || op === 'create_taxonomy';
    mustGoWith('term', ref, !isNew);
    mustGoWith('into', into, op === 'merge');
    if (op === 'create_taxonomy') {
      const more = set as { title: string; description?: string; hierarchical?: boolean; types?: string[] };
      const made = await createTaxonomy(draft, { ...more, name, hierarchical: more.hierarchical ?? false });
      return { data: taxonomyData(made), rev: made.rev };
    }
    const { body: taxonomy } = await getTaxonomy(draft, name);
    if (op === 'create') {
      const made = await createTerm(draft, taxonomy, set as NewTerm);
      return { data: termData(made), rev: made.rev };
    }
    const term = await getTerm(draft, taxonomy.name, ref!);
    const rev = sent ?? term.rev;
    // Refuses a stale rev before anything else is looked at.
    await draft.save('term', term.id, rev, (body) => body);
    const node = await changed();
    return { data: { ...termData(node), entriesChanged: entriesIn(draft) }, rev: node.rev };

    async function changed(): Promise<GraphNode<'term'>> {
      switch (op) {
        case 'describe':
          return draft.save('term', term.id, rev, (body) => ({ ...body, ...set }));
        case 'translate':
          return translate(draft, term, rev, set as { locale: string; label: string });
        case 'rename':
          return renameTerm(draft, term, rev, set.slug as string);
        case 'move':
          return moveTerm(draft, taxonomy, term, rev, set.parent === '/' ? undefined : (set.parent as string));
        case 'merge':
          return mergeTerm(draft, term, rev, await getTerm(draft, taxonomy.name, into!));
        default:
          return deleteTerm(draft, term, rev);
      }
    }
  },
});

function mustGoWith(path: string, value: unknown, wanted: boolean): void {
  if ((value !== undefined) === wanted) return;
  throw fail('validation_failed', { path, expected: wanted ? 'a term, by slug or id' : 'nothing for this operation' });
}

async function translate(
  draft: Draft,
  term: GraphNode<'term'>,
  rev: number,
  { locale, ...said }: { locale: string; label: string; description?: string },
): Promise<GraphNode<'term'>> {
  await siteLocale(draft, locale);
  return draft.save('term', term.id, rev, (body) =>
    locale === body.locale ? { ...body, ...said } : { ...body, translations: { ...body.translations, [locale]: said } },
  );
}

function entriesIn({ changes }: Draft): number {
  return changes.filter(({ kind }) => kind === 'entry').length;
}
