import { Type } from 'typebox';
import { everLive, movePage as move } from '../../content/move-page.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Note, PageRef, Rev, Site, SlugArg } from '../arguments.ts';
import { PageHeadData, pageHead } from './page-data.ts';

export const movePage = writeTool({
  name: 'move_page',
  title: 'Move a page',
  description:
    'Gives a page another parent or slug; the pages below it move along. Where readers know an address that changes, a person decides.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: false },
  exclusive: true,
  async assess(_, draft) {
    const moved = draft.changes.map(({ id }) => id);
    return (await everLive(draft, moved))
      ? { effect: 'person', reasons: ['readers know an address that changes'] }
      : {};
  },
  input: Input({
    site: Site,
    page: PageRef,
    rev: Rev('get_page'),
    parent: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: "The id or path of the page above, or / for the site's top.",
      }),
    ),
    slug: Type.Optional(SlugArg),
    note: Note,
  }),
  output: PageHeadData,
  async run({ page, rev, parent, slug }, draft) {
    const to = { ...(parent !== undefined && { parent }), ...(slug !== undefined && { slug }) };
    const node = await move(draft, page, rev, to);
    const known = await everLive(
      draft,
      draft.changes.map(({ id }) => id),
    );
    return {
      data: pageHead(node),
      rev: node.rev,
      ...(known && {
        warnings: ['Readers know an address that changes with the next publish, and nothing leads on from it.'],
      }),
    };
  },
});
