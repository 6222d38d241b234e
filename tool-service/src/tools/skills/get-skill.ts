import { Type } from 'typebox';
import { askTool, Input } from '../../define-tool.ts';

export const getSkill = askTool({
  name: 'get_skill',
  title: 'Read a skill',
  description: 'The text of a skill, or of a file that it refers to.',
  effect: 'read',
  scopes: [],
  toolsets: ['editorial'],
  input: Input({
    name: Type.String({ minLength: 1, maxLength: 64, description: 'The name from list_skills.' }),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'A file, such as references/style.md; SKILL.md when absent.',
      }),
    ),
  }),
  output: Type.Object({ name: Type.String(), path: Type.String(), mimeType: Type.String(), text: Type.String() }),
  async run({ name, path = 'SKILL.md' }, ask) {
    return { data: { name, path, ...(await ask.skills.read(name, path)) } };
  },
});
