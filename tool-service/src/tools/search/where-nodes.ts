import { fail } from '@cloudhal/shared/errors';
import { EntryBody, type NodeKind, nodeKinds } from '@cloudhal/shared/site/shapes';
import { conform } from '../../content/conform.ts';
import { getNode } from '../../content/find-node.ts';
import { type Condition, type NodeQuery, statuses } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { Operators } from '../entries/where-fields.ts';

/** What content:read lets an agent see; others have tools and scopes of their own. */
const readable = ['page', 'entry', 'person', 'taxonomy', 'term', 'menu'];
export const queriedKinds = nodeKinds.filter((kind) => readable.includes(kind));
const mostConditions = 10;

const ref = { type: 'string', minLength: 1, maxLength: 2048 };
/** The keys of `where` that are answered from an index. */
const Indexed = {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { enum: queriedKinds },
    type: { type: 'string', minLength: 1, maxLength: 64 },
    status: { enum: statuses },
    locale: { type: 'string', maxLength: 35 },
    parent: ref,
    updatedSince: { type: 'string', maxLength: 40 },
    linksTo: ref,
  },
};
const MemberPath = { type: 'string', pattern: '^[a-zA-Z][a-zA-Z0-9]*(?:\\.[a-zA-Z0-9_-]+){0,4}$', maxLength: 200 };

type Where = Omit<NodeQuery, 'kind' | 'parent' | 'linksTo'> & { kind: NodeKind; parent?: string; linksTo?: string };

/** The query that an argument such as `{"kind": "entry", "fields.place": {"exists": false}}` asks for. */
export async function whereNodes(view: View, where: Record<string, unknown>): Promise<NodeQuery> {
  conform(Indexed, where, 'where');
  const { kind, type, status, locale, parent, updatedSince, linksTo, ...members } = where as Where;
  if (type !== undefined && kind === 'entry') await view.contentType(type);
  const conditions = Object.entries(members).flatMap(([member, operators]) => {
    checkMember(member, `where.${member}`, kind);
    conform(Operators, operators, `where.${member}`);
    return Object.entries(operators as object).map(([is, value]) => ({ member, is, value }) as Condition);
  });
  if (conditions.length > mostConditions)
    throw fail('limit_exceeded', { what: 'The number of conditions', max: mostConditions });
  return {
    kind,
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(locale !== undefined && { locale }),
    ...(parent !== undefined && { parent: parent === '/' ? null : (await getNode(view, parent)).id }),
    ...(updatedSince !== undefined && { updatedSince }),
    ...(linksTo !== undefined && { linksTo: await targetsOf(view, linksTo) }),
    where: conditions,
  };
}

/** Refuses what is not the dotted name of a member that a body of the kind can have. */
export function checkMember(member: string, path: string, kind: NodeKind): void {
  conform(MemberPath, member, path);
  const [root = ''] = member.split('.');
  const known = Object.keys(EntryBody.properties);
  if (kind === 'entry' && !known.includes(root))
    throw fail('validation_failed', {
      path,
      expected: `a member of an entry, such as fields.title: ${known.join(', ')}`,
    });
}

/** Links name a node by its id or by its path. */
async function targetsOf(view: View, ref: string): Promise<string[]> {
  const node = await getNode(view, ref, { trash: true });
  return node.path === undefined ? [node.id] : [node.id, node.path];
}
