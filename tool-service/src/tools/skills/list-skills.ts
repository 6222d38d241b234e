import { Type } from 'typebox';
import { askTool, Input } from '../../define-tool.ts';

export const listSkills = askTool({
  name: 'list_skills',
  title: 'List skills',
  description:
    'Playbooks for common tasks. To follow one, read it with get_skill and send its name as _meta["cloudhal.skill"] with each call.',
  effect: 'read',
  scopes: [],
  toolsets: ['editorial'],
  input: Input({}),
  output: Type.Object({
    skills: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), description: Type.String() })),
  }),
  async run(_, ask) {
    const skills = await ask.skills.list();
    return {
      data: {
        skills: skills.map(({ name, title, description, scopes, digest }) => ({
          name,
          title,
          description,
          scopes,
          digest,
        })),
      },
    };
  },
});
