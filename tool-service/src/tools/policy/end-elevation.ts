import { askTool, Input } from '../../define-tool.ts';
import { Open } from './open.ts';

export const endElevation = askTool({
  name: 'end_elevation',
  title: 'End an elevation',
  description: 'Gives a granted elevation back before it ends, or takes back a request for one.',
  effect: 'ask',
  idempotent: true,
  scopes: [],
  toolsets: ['release'],
  input: Input({}),
  output: Open,
  run: (_, ask) => ask.policy({}),
});
