import { Type } from 'typebox';
import { askTool, Input } from '../../define-tool.ts';
import { Open } from './open.ts';

export const cancelApproval = askTool({
  name: 'cancel_approval',
  title: 'Withdraw a request',
  description: 'Withdraws a call of yours that waits for a person. It will not run.',
  effect: 'ask',
  idempotent: true,
  scopes: [],
  toolsets: ['release'],
  input: Input({ approval: Type.String({ minLength: 1, maxLength: 64, description: "The approval's id." }) }),
  output: Open,
  run: (args, ask) => ask.policy(args),
});
