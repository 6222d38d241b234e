import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { Input, writeTool } from '../../define-tool.ts';
import { checkItems, mustFit } from '../../releases/items.ts';
import { mustNotBeScheduled } from '../../releases/runs.ts';
import { Note, Rev, Site } from '../arguments.ts';
import { ItemsArg, ReleaseHeadData, ReleaseRef, releaseHead } from './release-data.ts';

export const setReleaseItems = writeTool({
  name: 'set_release_items',
  title: 'Change what is in a release',
  description:
    'Adds items, or replaces those of the same node, and removes others. Not while it is scheduled: what was approved stays as it is.',
  effect: 'edit',
  scopes: ['releases:write'],
  toolsets: ['release'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    release: ReleaseRef,
    rev: Rev('get_release'),
    add: Type.Optional(ItemsArg('Items to add or replace.')),
    remove: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 200,
        description: 'Nodes to take out, by id.',
      }),
    ),
    note: Note,
  }),
  output: ReleaseHeadData,
  async run({ release, rev, add = [], remove = [] }, draft) {
    if (add.length + remove.length === 0) {
      throw fail('validation_failed', { path: 'add', expected: 'items to add or to remove' });
    }
    const node = await draft.get('release', release);
    await mustNotBeScheduled(draft, node);
    const added = await checkItems(draft, add, 'add');
    const gone = new Set([...remove, ...added.map(({ node: id }) => id)]);
    const present = new Set(node.body.items.map((item) => item.node));
    const absent = remove.findIndex((id) => !present.has(id));
    if (absent >= 0) {
      throw fail('validation_failed', { path: `remove[${absent}]`, expected: 'a node that is in the release' });
    }
    const saved = await draft.save('release', release, rev, (body) => ({
      ...body,
      items: mustFit([...body.items.filter((item) => !gone.has(item.node)), ...added]),
    }));
    return { data: releaseHead(saved), rev: saved.rev };
  },
});
