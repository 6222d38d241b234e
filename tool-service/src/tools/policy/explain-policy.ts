import { Type } from 'typebox';
import { askTool, Input } from '../../define-tool.ts';
import { Members } from '../arguments.ts';
import { Open } from './open.ts';

export const explainPolicy = askTool({
  name: 'explain_policy',
  title: 'Explain a decision',
  description: 'Whether a call would run, wait for a person or be refused, and which rule decides. Changes nothing.',
  effect: 'read',
  scopes: [],
  toolsets: ['release'],
  input: Input({
    tool: Type.String({ minLength: 1, maxLength: 64, description: "The tool's name." }),
    arguments: Type.Optional(Members('Its arguments.')),
    skill: Type.Optional(Type.String({ maxLength: 64, description: 'A skill that the call would declare.' })),
  }),
  output: Open,
  run: (args, ask) => ask.policy(args),
});
