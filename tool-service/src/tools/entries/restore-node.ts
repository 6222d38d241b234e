import { fail } from '@cloudhal/shared/errors';
import type { PageBody } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import { requireScopes } from '../../changes/require-scopes.ts';
import { weighMoves } from '../../content/move-page.ts';
import { pagePath } from '../../content/pages.ts';
import { Input, writeTool } from '../../define-tool.ts';
import type { Draft } from '../../graph/draft.ts';
import type { GraphNode } from '../../graph/node.ts';
import { holdTogether } from '../../publish/hold-together.ts';
import { Choice, NodeId, Note, Site } from '../arguments.ts';

export const restoreNode = writeTool({
  name: 'restore_node',
  title: 'Restore a node',
  description:
    'Brings one node of the draft back out of the trash, or to its state in a snapshot. A page keeps the address that it has now.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: true },
  assess: (_, draft) => weighMoves(draft),
  exclusive: true,
  input: Input({
    site: Site,
    node: NodeId,
    from: Choice(['trash', 'snapshot'], 'Where it comes from.'),
    snapshot: Type.Optional(Type.String({ maxLength: 64, description: "With from snapshot: the snapshot's id." })),
    rev: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The rev that you read; needed unless the node is in the trash or gone.',
      }),
    ),
    note: Note,
  }),
  output: Type.Object({ id: Type.String(), kind: Type.String(), rev: Type.Integer() }),
  async run({ node: id, from, snapshot, rev }, draft, call) {
    if ((from === 'snapshot') !== (snapshot !== undefined)) {
      throw fail('validation_failed', { path: 'snapshot', expected: 'it goes with from "snapshot", and only with it' });
    }
    const [now] = await draft.nodes([id], { trash: true });
    const then = snapshot === undefined ? now : await draft.node(id, { snapshot });
    if (!then) throw fail('not_found', { what: 'node', id });
    if (snapshot === undefined && !then.deleted) {
      throw fail('validation_failed', { path: 'from', expected: 'snapshot: this node is not in the trash' });
    }
    if (now && !now.deleted && rev === undefined) {
      throw fail('validation_failed', { path: 'rev', expected: 'the rev that get_page or get_entry returned' });
    }
    const restored = await draft.restore({ id, kind: then.kind }, rev, await withAddress(draft, then, now));
    await holdTogether(draft);
    requireScopes(draft, call);
    const { kind, path } = restored;
    return { data: { id, kind, ...(path !== undefined && { path }), rev: restored.rev }, rev: restored.rev };
  },
});

/** The body to restore. Pages below it, and those above, may have moved since: what is there now decides where a page goes. */
async function withAddress(draft: Draft, then: GraphNode, now: GraphNode | undefined): Promise<GraphNode['body']> {
  if (then.kind !== 'page') return then.body;
  const body = then.body as PageBody;
  if (now && !now.deleted) {
    const { slug, path, parent } = now.body as PageBody;
    const { parent: _, ...kept } = body;
    return { ...kept, slug, path, ...(parent !== undefined && { parent }) };
  }
  if (body.parent === undefined) return body;
  const parent = await draft.find('page', body.parent);
  if (!parent)
    throw fail('validation_failed', { path: 'node', expected: `its page above, ${body.parent}, to be restored first` });
  return { ...body, path: pagePath(parent, body.slug) };
}
