import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import { kindName } from '../../changes/title.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { ownEmbargoes } from '../../embargoes/embargoes.ts';
import { NodeId, Reason, Rev, Site } from '../arguments.ts';
import { nameOf } from '../untrusted.ts';
import { EmbargoData, embargoable, heldNode } from './embargo-data.ts';

export const liftEmbargo = writeTool({
  name: 'lift_embargo',
  title: 'Lift an embargo',
  description:
    'Ends an embargo now. It publishes nothing, but the node can be published from then on. Always waits for a person.',
  effect: 'person',
  scopes: ['publish'],
  toolsets: ['release'],
  hints: { destructive: true, idempotent: true },
  assess: async ({ node: id, reason }, draft) => {
    const [node, { title }] = await Promise.all([draft.node(id), draft.head()]);
    return {
      nodes: 1,
      summary: {
        title: `Lift the embargo of ${kindName(node)} ${nameOf(node)} on ${quote(title)}`,
        lines: [`Reason given: ${quote(reason, 300)}`],
        diff: [heldNode(node)],
      },
    };
  },
  exclusive: true,
  input: Input({ site: Site, node: NodeId, rev: Rev('get_page or get_entry'), reason: Reason }),
  output: EmbargoData,
  async run({ node: id, rev }, draft, call) {
    const node = await embargoable(draft, id, rev);
    const until = (await ownEmbargoes(draft, [id], call.now())).get(id);
    if (until === undefined) {
      throw fail('validation_failed', { path: 'node', expected: 'one that is under embargo, see list_embargoes' });
    }
    draft.binds({ embargo: until });
    draft.touch({ id, rev: node.rev });
    draft.write('DELETE FROM tools.embargo WHERE site_id = $1 AND node_id = $2', [id]);
    return { data: { node: id, until: null }, rev: node.rev };
  },
});
