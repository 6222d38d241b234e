import { askTool, Input } from '../../define-tool.ts';
import { Site } from '../arguments.ts';
import { Open } from './open.ts';

export const getMode = askTool({
  name: 'get_mode',
  title: 'Read your mode',
  description:
    'Your mode, scopes, sites, the end of an elevation, and which kinds of calls run, wait for a person or are refused.',
  effect: 'read',
  scopes: [],
  toolsets: ['core', 'editorial', 'release'],
  input: Input({ site: Site }),
  output: Open,
  run: (args, ask) => ask.policy(args),
});
