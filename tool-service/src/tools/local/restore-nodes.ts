import { fail } from '@cloudhal/shared/errors';
import { isId } from '@cloudhal/shared/ids';
import { nodeBodies } from '@cloudhal/shared/site/bodies';
import { idPrefixes, type NodeBody, type NodeKind, nodeKinds } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import { conform } from '../../content/conform.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { addressBody } from '../../graph/content-address.ts';
import type { Draft } from '../../graph/draft.ts';
import { Choice, Members, Note, Site } from '../arguments.ts';

const Restored = Type.Object(
  {
    id: Type.String({ maxLength: 64, description: 'The id that it had.' }),
    kind: Choice(nodeKinds, 'Its kind.'),
    deleted: Type.Optional(Type.Boolean({ description: 'It is in the trash.' })),
    body: Members('As it was stored.'),
  },
  { additionalProperties: false },
);
type Restored = { id: string; kind: NodeKind; deleted?: boolean; body: Record<string, unknown> };

export const restoreNodes = writeTool({
  name: 'restore_nodes',
  title: 'Restore nodes',
  description: 'Puts exported nodes into the draft under the ids that they had. What is there already stays as it is.',
  effect: 'delete',
  scopes: ['content:write', 'site:write', 'schema:write'],
  hints: { destructive: false, idempotent: true },
  exclusive: true,
  input: Input({
    site: Site,
    nodes: Type.Array(Restored, { minItems: 1, maxItems: 200, description: 'Nodes.' }),
    note: Note,
  }),
  output: Type.Object({ restored: Type.Integer(), skipped: Type.Integer(), different: Type.Integer() }),
  async run({ nodes }, draft) {
    const ids = nodes.map(({ id }) => id);
    const there = new Map((await draft.nodes(ids, { trash: true })).map((node) => [node.id, node]));
    let [restored, different] = [0, 0];
    for (const [index, node] of nodes.entries()) {
      checkNode(node, draft.siteId, `nodes[${index}]`);
      const known = there.get(node.id);
      const isSame = known?.hash === addressBody(node.body).hash && known.deleted === (node.deleted ?? false);
      // The settings that a new site is made with give way to those of the site that it was.
      const isNewSite = known?.kind === 'site' && known.rev === 1;
      if (!known || (isNewSite && !isSame)) {
        await restoreOne(draft, node);
        restored++;
      } else if (!isSame) different++;
    }
    return { data: { restored, skipped: nodes.length - restored, different } };
  },
});

function checkNode({ id, kind, body }: Restored, site: string, path: string): void {
  if (!isId(id) || !id.startsWith(`${idPrefixes[kind]}_`) || (kind === 'site' && id !== site)) {
    throw fail('validation_failed', { path: `${path}.id`, expected: `an id of this site's ${kind}` });
  }
  const shape = nodeBodies[kind];
  if (shape === undefined)
    throw fail('validation_failed', { path: `${path}.kind`, expected: 'a kind that is exported' });
  conform(shape, body, `${path}.body`);
}

async function restoreOne(draft: Draft, { id, kind, deleted, body }: Restored): Promise<void> {
  const { rev } = await draft.restore({ id, kind }, undefined, body as NodeBody[NodeKind]);
  if (deleted) await draft.remove(id, rev);
}
