import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import type { Call } from '../../call.ts';
import { getNode } from '../../content/find-node.ts';
import { nodeProblems } from '../../content/node-problems.ts';
import { Input, readTool } from '../../define-tool.ts';
import { Members, Site } from '../arguments.ts';
import { isImported } from '../untrusted.ts';

export const validateDraft = readTool({
  name: 'validate_draft',
  title: 'Validate a draft',
  description:
    'Whether a draft is as its type asks and links to what is there; or, with tool and arguments, whether that call would succeed and what it would change. Changes nothing.',
  scopes: ['content:read'],
  toolsets: ['editorial'],
  input: Input({
    site: Site,
    node: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'A node by id or path.' })),
    tool: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A tool that changes something.' })),
    arguments: Type.Optional(Members("The tool's arguments.")),
  }),
  output: Type.Object({ valid: Type.Boolean(), problems: Type.Array(Type.String()) }),
  async run({ node: ref, tool, arguments: args = {} }, view, call) {
    if ((ref === undefined) === (tool === undefined)) {
      throw fail('validation_failed', { path: 'node', expected: 'either a node, or a tool with its arguments' });
    }
    if (tool !== undefined) return { data: await validatedCall(call, view.siteId, tool, args) };
    const node = await getNode(view, ref!);
    const problems = await nodeProblems(view, node);
    const { id, rev } = node;
    const data = { valid: problems.length === 0, node: id, rev };
    if (!isImported(node)) return { data: { ...data, problems } };
    return {
      data: { ...data, problems: [], untrusted: [{ source: 'import', id, problems }] },
      warnings: ['It was imported, and no person has looked at it yet.'],
    };
  },
});

async function validatedCall(call: Call, site: string, tool: string, given: Record<string, unknown>) {
  const { site: _, ...args } = given;
  try {
    const { effect, nodes, problems, embargoed } = await call.can.assess({ tool, site, arguments: args });
    return { valid: true, problems, would: { effect, nodes, embargoed } };
  } catch (error) {
    if (!(error instanceof CloudhalError)) throw error;
    const { code, message, next, details } = error.body;
    return { valid: false, problems: [message], error: { code, message, next, ...(details && { details }) } };
  }
}
