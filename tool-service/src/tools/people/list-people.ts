import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import type { GraphNode } from '../../graph/node.ts';
import { Cursor, Limit, Site } from '../arguments.ts';

export const listPeople = readTool({
  name: 'list_people',
  title: 'List people',
  description: 'The people whom bylines can name, by name, with what readers may know of them.',
  scopes: ['content:read'],
  toolsets: ['editorial'],
  input: Input({ site: Site, cursor: Cursor, limit: Limit() }),
  output: Type.Object({ people: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ site: _, ...page }, view) {
    const { items, cursor } = await view.list({ kind: 'person', sort: 'title', ...page });
    return {
      data: { people: items.map((person) => ({ ...publicData(person), status: person.status })) },
      ...(cursor !== undefined && { cursor }),
    };
  },
});

/** What may be said of a person, member by member: what a record should hold one day is not public by itself. */
export function publicData({ id, rev, body: { name, slug, role, bio, url } }: GraphNode<'person'>) {
  return {
    id,
    rev,
    name,
    slug,
    ...(role !== undefined && { role }),
    ...(bio !== undefined && { bio }),
    ...(url !== undefined && { url }),
  };
}
