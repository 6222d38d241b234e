import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { type Alike, type AlikeQuery, alikeGroups, alikeTo } from '../../content/alike.ts';
import { getNode } from '../../content/find-node.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { Hit } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { Choice, Cursor, Limit, LocaleArg, Site } from '../arguments.ts';
import { untrustedIds } from '../untrusted.ts';

export const searchSite = readTool({
  name: 'search_site',
  title: 'Search a site',
  description:
    'Full-text search with snippets, best first; "…", or and - work as on the web. With like instead of query: what is nearly the same. Imported text is under untrusted.',
  scopes: ['content:read'],
  toolsets: ['core', 'editorial'],
  input: Input({
    site: Site,
    query: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Words.' })),
    like: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description:
          'Id or path of a page or entry: what is nearly the same; * for all groups of duplicates on the site.',
      }),
    ),
    mode: Type.Optional(Choice(['text', 'semantic', 'hybrid'], 'text when absent, and where there is no other index.')),
    kinds: Type.Optional(
      Type.Array(Choice(['page', 'entry'], 'A kind.'), { maxItems: 2, description: 'Only these kinds of nodes.' }),
    ),
    type: Type.Optional(Type.String({ maxLength: 64, description: 'Only entries of this type.' })),
    locale: LocaleArg,
    view: Type.Optional(Choice(['draft', 'live'], 'Which state; draft when absent.')),
    cursor: Cursor,
    limit: Limit(50),
  }),
  output: Type.Object({ hits: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ site: _, query: text, like, mode = 'text', view: track = 'draft', ...asked }, view) {
    if ((text === undefined) === (like === undefined))
      throw fail('validation_failed', { path: 'query', expected: 'words, or like in their place' });
    if (asked.type !== undefined) await view.contentType(asked.type);
    if (text === undefined) return alike(view, like!, { ...asked, track, limit: asked.limit ?? 20 });
    const { items, cursor, truncated } = await view.search({ text, track, ...asked });
    const imported = await untrustedIds(
      view,
      items.map(({ id }) => id),
      track,
    );
    const untrusted = items.filter(({ id }) => imported.has(id));
    return {
      data: {
        hits: items.map((hit) => (imported.has(hit.id) ? withoutText(hit) : hit)),
        ...(untrusted.length > 0 && {
          untrusted: untrusted.map(({ id, title, snippet }) => ({ source: 'import', id, title, snippet })),
        }),
      },
      ...(cursor !== undefined && { cursor }),
      ...(truncated && { truncated }),
      ...(mode !== 'text' && { warnings: ['This site has no semantic index; the words were searched for.'] }),
    };
  },
});

async function alike(view: View, like: string, query: AlikeQuery & { cursor?: string }) {
  if (query.cursor !== undefined)
    throw fail('validation_failed', { path: 'cursor', expected: 'none: with like there is one page' });
  const { groups, truncated } =
    like === '*'
      ? await alikeGroups(view, query)
      : { groups: [await alikeTo(view, await getNode(view, like, { track: query.track }), query)], truncated: false };
  const ids = groups.flat().map(({ id }) => id);
  const imported = await untrustedIds(view, ids, query.track);
  const known = (node: Alike) => (imported.has(node.id) ? { ...withoutText(node), alike: node.alike } : node);
  const untrusted = groups.flat().filter(({ id }) => imported.has(id));
  return {
    data: {
      hits: like === '*' ? groups.map((group) => ({ nodes: group.map(known) })) : groups[0]!.map(known),
      ...(untrusted.length > 0 && {
        untrusted: untrusted.map(({ id, title }) => ({ source: 'import', id, title })),
      }),
    },
    ...(truncated && { truncated }),
    next: [
      'alike is the part that two have in common, from 0 to 1. Compare them with get_entry before you change any.',
    ],
  };
}

function withoutText({ id, kind, path, locale }: Pick<Hit, 'id' | 'kind' | 'path' | 'locale'>) {
  return { id, kind, ...(path !== undefined && { path }), ...(locale !== undefined && { locale }) };
}
