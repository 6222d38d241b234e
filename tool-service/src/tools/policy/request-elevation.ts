import { Type } from 'typebox';
import { askTool, Input } from '../../define-tool.ts';
import { Choice, Site } from '../arguments.ts';
import { Open } from './open.ts';

export const requestElevation = askTool({
  name: 'request_elevation',
  title: 'Ask for a mode',
  description:
    'Asks a person for a more autonomous mode for a while. They may grant less or refuse; until then nothing changes. One request at a time.',
  effect: 'ask',
  scopes: [],
  toolsets: ['core', 'editorial', 'release'],
  input: Input({
    site: Site,
    mode: Choice(['manual', 'edits', 'auto', 'bypass'], 'The mode.'),
    minutes: Type.Integer({ minimum: 1, maximum: 1440, description: 'For how long.' }),
    reason: Type.String({ minLength: 1, maxLength: 500, description: 'What for; a person reads it.' }),
    tools: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { maxItems: 40, description: 'The tools you mean to call.' }),
    ),
  }),
  output: Open,
  run: (args, ask) => ask.policy(args),
});
