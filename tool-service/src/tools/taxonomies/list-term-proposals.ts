import { Type } from 'typebox';
import { askTool, Input } from '../../define-tool.ts';
import { Choice, Cursor, Site } from '../arguments.ts';
import { Open } from '../policy/open.ts';

export const listTermProposals = askTool({
  name: 'list_term_proposals',
  title: 'List term proposals',
  description: "Changes of this site's taxonomies that wait for a person or were decided, newest first.",
  effect: 'read',
  scopes: ['content:read'],
  toolsets: ['editorial'],
  input: Input({ site: Site, status: Type.Optional(Choice(['open', 'decided'], 'Both when absent.')), cursor: Cursor }),
  output: Open,
  run: (args, ask) => ask.policy(args),
});
