import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import type { PersonBody } from '@cloudhal/shared/site/person';
import { Type } from 'typebox';
import { checkSlug, slugFrom } from '../../content/slug.ts';
import { Input, writeTool } from '../../define-tool.ts';
import type { Draft } from '../../graph/draft.ts';
import type { GraphNode } from '../../graph/node.ts';
import { Choice, Reason, Site, SlugArg } from '../arguments.ts';
import { publicData } from './list-people.ts';

const optional = ['role', 'bio', 'url'] as const;

export const proposePerson = writeTool({
  name: 'propose_person',
  title: 'Propose a person',
  description:
    'Adds or changes the public record of somebody who writes for the site. Once a person approves it readers see it at once; name only what the person agreed to.',
  effect: 'person',
  scopes: ['people:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: false },
  exclusive: true,
  input: Input({
    site: Site,
    person: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 96,
        description: 'Id or slug of the record to change; absent: a new one.',
      }),
    ),
    rev: Type.Optional(Type.Integer({ minimum: 1, description: 'With person: the rev that you read.' })),
    set: Type.Object(
      {
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'As bylines show it.' })),
        slug: Type.Optional(SlugArg),
        role: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Such as Reporter.' })),
        bio: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'A few sentences.' })),
        url: Type.Optional(
          Type.String({ maxLength: 2000, pattern: '^https?://[^\\s]+$', description: 'Where bylines lead.' }),
        ),
      },
      { additionalProperties: false, description: 'What to set.' },
    ),
    unset: Type.Optional(
      Type.Array(Choice(optional, 'A member.'), { maxItems: optional.length, description: 'What to remove.' }),
    ),
    reason: Reason,
  }),
  output: Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String(), rev: Type.Integer() }),
  async run({ person: ref, rev, set, unset = [] }, draft) {
    const both = unset.find((name) => set[name] !== undefined);
    if (both !== undefined) throw fail('validation_failed', { path: 'unset', expected: `not ${both}, which set sets` });
    if (ref === undefined && rev !== undefined)
      throw fail('validation_failed', { path: 'rev', expected: 'nothing, or person with it' });
    const person = ref === undefined ? await add(draft, set) : await change(draft, ref, rev, set, unset);
    // A person decides just this: that these facts become public.
    await draft.place('live', new Map([[person.id, person]]));
    return { data: publicData(person), rev: person.rev };
  },
  async assess(_, draft, { summary }) {
    const person = draft.changes.find(({ track }) => track === 'live')?.after as GraphNode<'person'> | undefined;
    if (!person) return {};
    const facts = Object.entries(person.body).map(([member, value]) => `${member}: ${quote(value, 300)}`);
    return { summary: { ...summary, lines: ['Readers will know of this person:', ...facts, ...summary.lines] } };
  },
});

type Set = Partial<PersonBody>;

async function add(draft: Draft, { name, ...set }: Set): Promise<GraphNode<'person'>> {
  if (name === undefined) throw fail('validation_failed', { path: 'set.name', expected: 'the name of a new person' });
  const slug = await freeSlug(draft, set.slug ?? slugFrom(name, 'set.slug'));
  return draft.create('person', { ...set, name, slug });
}

async function change(
  draft: Draft,
  ref: string,
  rev: number | undefined,
  set: Set,
  unset: readonly (typeof optional)[number][],
): Promise<GraphNode<'person'>> {
  const { id, body } = await draft.get('person', ref);
  if (rev === undefined)
    throw fail('validation_failed', { path: 'rev', expected: 'the rev that list_people returned' });
  if (set.slug !== undefined && set.slug !== body.slug) await freeSlug(draft, set.slug);
  return draft.save('person', id, rev, (person) => {
    const changed = { ...person, ...set };
    for (const name of unset) delete changed[name];
    return changed;
  });
}

async function freeSlug(draft: Draft, slug: string): Promise<string> {
  const taken = await draft.find('person', checkSlug(slug, 'set.slug'));
  if (taken) throw fail('slug_taken', { slug, by: taken.id });
  return slug;
}
