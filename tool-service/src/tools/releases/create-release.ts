import { Type } from 'typebox';
import { Input, writeTool } from '../../define-tool.ts';
import { checkItems, mustFit } from '../../releases/items.ts';
import { RequestId, Site, TitleArg } from '../arguments.ts';
import { ItemsArg, ReleaseHeadData, releaseHead } from './release-data.ts';

export const createRelease = writeTool({
  name: 'create_release',
  title: 'Create a release',
  description:
    'A named group of changes that go live together, by publish or schedule_release. Changes nothing for readers.',
  effect: 'edit',
  scopes: ['releases:write'],
  toolsets: ['release'],
  hints: { destructive: false, idempotent: false },
  input: Input({
    site: Site,
    title: TitleArg,
    note: Type.Optional(Type.String({ maxLength: 500, description: 'What it is for; kept with it.' })),
    items: Type.Optional(ItemsArg('What goes live, or goes off.')),
    requestId: RequestId,
  }),
  output: ReleaseHeadData,
  async run({ title, note, items = [] }, draft) {
    const node = await draft.create('release', {
      title,
      ...(note !== undefined && { note }),
      items: mustFit(await checkItems(draft, items, 'items')),
    });
    return {
      data: { ...releaseHead(node), state: 'open' },
      rev: node.rev,
      next: ['get_release shows what it changes, and the digest that schedule_release asks for.'],
    };
  },
});
