import { Type } from 'typebox';
import { movePage as move, weighMoves } from '../../content/move-page.ts';
import { Input, writeTool } from '../../define-tool.ts';
import type { GraphNode } from '../../graph/node.ts';
import { Note, PageRef, Rev, Site, SlugArg } from '../arguments.ts';
import { redirectData } from '../redirects/redirect-data.ts';
import { PageHeadData, pageHead } from './page-data.ts';

export const movePage = writeTool({
  name: 'move_page',
  title: 'Move a page',
  description:
    'Gives a page another parent or slug; the pages below it move along. Where readers know an address that changes, a redirect is part of it and a person decides.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: false },
  exclusive: true,
  assess: (_, draft) => weighMoves(draft),
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
    const redirects = draft.changes.flatMap(({ after }) =>
      after?.kind === 'redirect' && !after.deleted ? [redirectData(after as GraphNode<'redirect'>)] : [],
    );
    return {
      data: { ...pageHead(node), ...(redirects.length > 0 && { redirects: redirects.slice(0, 50) }) },
      rev: node.rev,
      ...(redirects.length > 0 && { next: ['Publishing the page publishes its redirect with it.'] }),
    };
  },
});
