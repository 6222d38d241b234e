import { Type } from 'typebox';
import { savePage } from '../../content/pages.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Members, Note, PageRef, Rev, SeoArg, Site, TitleArg } from '../arguments.ts';
import { PageHeadData, pageHead } from './page-data.ts';

export const updatePage = writeTool({
  name: 'update_page',
  title: 'Update a page',
  description:
    'Changes what you name and leaves the rest. Send the rev you read; a stale rev is refused, never merged. For its address use move_page.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    page: PageRef,
    rev: Rev('get_page'),
    set: Type.Optional(
      Type.Object(
        {
          title: Type.Optional(TitleArg),
          seo: SeoArg,
          sections: Type.Optional(Members('Props to merge, by section id: {"se_…": {"heading": "…"}}.')),
        },
        { additionalProperties: false, description: 'What to set.' },
      ),
    ),
    unset: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 50,
        description: 'What to remove: seo, seo.title, or sections.<section>.<prop>.',
      }),
    ),
    note: Note,
  }),
  output: PageHeadData,
  async run({ page, rev, set, unset }, draft) {
    const node = await savePage(draft, page, rev, { ...set, ...(unset && { unset }) });
    return { data: pageHead(node), rev: node.rev };
  },
});
