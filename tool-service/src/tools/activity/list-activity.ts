import { Type } from 'typebox';
import { askTool, Input } from '../../define-tool.ts';
import { Choice, Cursor, Limit, Since, Site } from '../arguments.ts';
import { Open } from '../policy/open.ts';

export const listActivity = askTool({
  name: 'list_activity',
  title: 'List activity',
  description:
    "Your calls, newest first: tool, decision, snapshot, skill and error code; with the scope activity:read-all everybody's on the site.",
  effect: 'read',
  scopes: ['activity:read'],
  toolsets: ['release', 'insight'],
  input: Input({
    site: Site,
    since: Since,
    tool: Type.Optional(Type.String({ maxLength: 64, description: 'Only calls of this tool.' })),
    decision: Type.Optional(Choice(['allow', 'person', 'deny'], 'Only with this decision.')),
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Open,
  run: (args, ask) => ask.audit(args),
});
