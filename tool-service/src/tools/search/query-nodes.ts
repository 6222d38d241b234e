import { fail } from '@cloudhal/shared/errors';
import { isId } from '@cloudhal/shared/ids';
import { Type } from 'typebox';
import { checkCost } from '../../content/query-cost.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { GraphNode, Listed, NodeQuery, SortKey, Track } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { Choice, Cursor, Limit, Members, Site } from '../arguments.ts';
import { sorts } from '../entries/list-entries.ts';
import { briefOf, isImported } from '../untrusted.ts';
import { checkMember, whereNodes } from './where-nodes.ts';

/** Nodes that one answer names beside those asked for. */
const mostExpanded = 300;
/** Bytes of selected members in one answer. */
const mostBytes = 200_000;

const MemberNames = (maxItems: number, description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems, description });

export const queryNodes = readTool({
  name: 'query_nodes',
  title: 'Query nodes',
  description:
    'Nodes of one kind by conditions on any of their members, with just the members you select. A query that would look into too many nodes is refused before it runs.',
  scopes: ['content:read'],
  toolsets: ['editorial'],
  input: Input({
    site: Site,
    where: Members(
      'kind (page, entry, person, taxonomy, term or menu) and, cheaply, type, status, locale, parent, updatedSince, linksTo; any other member by its dotted name with eq, in, gt, lt, contains or exists: {"kind": "entry", "fields.summary": {"exists": false}}.',
    ),
    select: MemberNames(20, 'Members by dotted name, such as fields.title or terms.topics.'),
    expand: Type.Optional(MemberNames(3, 'Members that name nodes, such as bylines: these are described, too.')),
    view: Type.Optional(Choice(['draft', 'live'], 'Which state; draft when absent.')),
    order: Type.Optional(Choice(sorts, '-updated when absent; - turns it around.')),
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Type.Object({ nodes: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ where, select, expand = [], view: track = 'draft', order = '-updated', cursor: from, limit = 25 }, view) {
    const asked = await whereNodes(view, where);
    for (const [index, member] of select.entries()) checkMember(member, `select[${index}]`, asked.kind);
    for (const [index, member] of expand.entries()) checkMember(member, `expand[${index}]`, asked.kind);
    await checkCandidates(view, asked, track);
    const query = {
      ...asked,
      at: { track },
      sort: order.replace('-', '') as SortKey,
      descending: order.startsWith('-'),
      ...(from !== undefined && { cursor: from }),
    };
    const page = await view.list({ ...query, limit });
    const fit = fitting(page.items, select);
    const shown = page.items.slice(0, fit);
    // Read again, for the cursor that goes on behind what is shown.
    const next = fit < page.items.length ? (await view.list({ ...query, limit: fit })).cursor : page.cursor;
    const untrusted = shown.filter(isImported);
    return {
      data: {
        nodes: shown.map((node) => ({ ...head(node), ...(!isImported(node) && selected(node, select)) })),
        ...(expand.length > 0 && { expanded: await expanded(view, shown, expand, track) }),
        ...(untrusted.length > 0 && {
          untrusted: untrusted.map((node) => ({ source: 'import', id: node.id, ...selected(node, select) })),
        }),
      },
      ...(next !== undefined && { cursor: next }),
      ...(fit < page.items.length && { truncated: true }),
    };
  },
});

async function checkCandidates(view: View, query: NodeQuery, track: Track): Promise<void> {
  const conditions = query.where?.length ?? 0;
  if (conditions === 0) return;
  checkCost(await view.count({ ...query, at: { track }, where: [] }), conditions);
}

function head({ id, kind, rev, path, locale, status, updatedAt, updatedBy }: Listed) {
  const where = { ...(path !== undefined && { path }), ...(locale !== undefined && { locale }) };
  return { id, kind, ...where, rev, status, updatedAt, updatedBy };
}

/** The members by their dotted names, those that are there. */
function selected(node: GraphNode, names: readonly string[]): { select?: object } {
  const found = names.map((name): [string, unknown] => [name, memberOf(node, name)]);
  const there = found.filter(([, value]) => value !== undefined);
  return there.length === 0 ? {} : { select: Object.fromEntries(there) };
}

function memberOf({ body }: GraphNode, name: string): unknown {
  return name.split('.').reduce<unknown>((value, member) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, member);
    return isObject ? (value as Record<string, unknown>)[member] : undefined;
  }, body);
}

/** The nodes that these members name, in a few words each; what is not there any more is left out. */
async function expanded(view: View, nodes: readonly GraphNode[], members: readonly string[], track: Track) {
  const named = nodes.flatMap((node) => members.flatMap((member) => [memberOf(node, member)].flat()));
  const ids = [...new Set(named.filter(isId))];
  if (ids.length > mostExpanded)
    throw fail('limit_exceeded', { what: 'The number of nodes to expand; ask for fewer nodes: it', max: mostExpanded });
  const found = await view.nodes(ids, { track });
  return Object.fromEntries(found.map((node) => [node.id, briefOf(node)]));
}

/** How many of them fit into one answer, at least one. */
function fitting(nodes: readonly Listed[], select: readonly string[]): number {
  let left = mostBytes;
  const over = nodes.findIndex((node) => {
    left -= Buffer.byteLength(JSON.stringify(selected(node, select)));
    return left < 0;
  });
  return over < 0 ? nodes.length : Math.max(over, 1);
}
