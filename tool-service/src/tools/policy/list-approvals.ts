import { Type } from 'typebox';
import { askTool, Input } from '../../define-tool.ts';
import { Choice, Cursor } from '../arguments.ts';
import { Open } from './open.ts';

const states = [
  'pending',
  'approved',
  'rejected',
  'expired',
  'withdrawn',
  'stale',
  'revoked',
  'consumed',
  'succeeded',
  'failed',
  'aborted',
] as const;

export const listApprovals = askTool({
  name: 'list_approvals',
  title: 'List your approvals',
  description: 'Your calls that wait for a person and those that were decided, newest first, with the reason given.',
  effect: 'read',
  scopes: [],
  toolsets: ['release'],
  input: Input({ status: Type.Optional(Choice(states, 'Only in this state.')), cursor: Cursor }),
  output: Open,
  run: (args, ask) => ask.policy(args),
});
