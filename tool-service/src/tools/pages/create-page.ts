import { Type } from 'typebox';
import { createPage as create } from '../../content/pages.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { LocaleArg, Note, RequestId, SectionInputs, SeoArg, Site, SlugArg, TitleArg } from '../arguments.ts';
import { PageHeadData, pageHead } from './page-data.ts';

const Ref = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description }));

export const createPage = writeTool({
  name: 'create_page',
  title: 'Create a page',
  description:
    'A new draft page. Nothing is public until it is published. Say where it goes by path, or by parent and slug.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: false },
  // The page above must stay where it is.
  exclusive: true,
  input: Input({
    site: Site,
    title: TitleArg,
    path: Ref('Its address, such as /about/team; the page above must exist.'),
    slug: Type.Optional(SlugArg),
    parent: Ref("The id or path of the page above; the site's top when absent."),
    locale: LocaleArg,
    template: Ref('A page whose sections are copied.'),
    sections: Type.Optional(SectionInputs),
    seo: SeoArg,
    requestId: RequestId,
    note: Note,
  }),
  output: PageHeadData,
  async run({ site: _, requestId: __, note: ___, ...page }, draft) {
    const node = await create(draft, page);
    return { data: pageHead(node), rev: node.rev, next: ['Show it with preview_page, or publish it.'] };
  },
});
