import { Type } from 'typebox';
import { below, getParent, levelsOf } from '../../content/pages.ts';
import { Input, readTool } from '../../define-tool.ts';
import { type Listed, type Status, statuses } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { Choice, Cursor, Limit, LocaleArg, Since, Site } from '../arguments.ts';
import { PageHeadData, pageHead } from './page-data.ts';

const extras = ['seo', 'sections'] as const;

export const listPages = readTool({
  name: 'list_pages',
  title: 'List pages',
  description: 'Pages by path: all of them, those under a parent, or a few levels of the tree.',
  scopes: ['content:read'],
  toolsets: ['core', 'editorial'],
  input: Input({
    site: Site,
    parent: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: 'Only under this page: its id or path.' }),
    ),
    depth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'How many levels; without it all of them.' }),
    ),
    status: Type.Optional(Choice(statuses, 'Where the draft stands against what is live; trash lists deleted pages.')),
    locale: LocaleArg,
    updatedSince: Since,
    fields: Type.Optional(
      Type.Array(Choice(extras, 'A member.'), { maxItems: 2, description: 'Also these members of each page.' }),
    ),
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Type.Object({ pages: Type.Array(PageHeadData) }),
  async run({ site: _, parent, depth, fields = [], ...asked }, view) {
    const { pages, cursor } = await pagesUnder(view, parent, depth, asked);
    return {
      data: { pages: pages.map((page) => summary(page, fields)) },
      ...(cursor !== undefined && { cursor }),
    };
  },
});

type Asked = { status?: Status; locale?: string; updatedSince?: string; cursor?: string; limit?: number };

/** More rounds than this are left to the next call: a flat site may have many pages below the levels asked for. */
const maxRounds = 10;

async function pagesUnder(view: View, parent: string | undefined, depth: number | undefined, asked: Asked) {
  const { cursor: from, limit = 25, ...filter } = asked;
  const above = (await getParent(view, parent))?.body.path;
  const deepest = levelsOf(above ?? '') + (depth ?? Number.POSITIVE_INFINITY);
  const pages: Listed<'page'>[] = [];
  let cursor = from;
  for (let round = 0; round < maxRounds; round++) {
    const page = await view.list({
      kind: 'page',
      ...filter,
      sort: 'path',
      ...(above !== undefined && { where: below(above) }),
      ...(cursor !== undefined && { cursor }),
      limit: limit - pages.length,
    });
    pages.push(...page.items.filter(({ body }) => levelsOf(body.path) <= deepest));
    cursor = page.cursor;
    if (cursor === undefined || pages.length === limit) break;
  }
  return { pages, ...(cursor !== undefined && { cursor }) };
}

function summary(page: Listed<'page'>, fields: readonly (typeof extras)[number][]) {
  const { status, updatedAt, body } = page;
  const more = fields.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]);
  return { ...pageHead(page), status, updatedAt, ...Object.fromEntries(more) };
}
