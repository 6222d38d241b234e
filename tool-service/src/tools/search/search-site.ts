import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import type { Hit } from '../../graph/node.ts';
import { Choice, Cursor, Limit, LocaleArg, Site } from '../arguments.ts';
import { untrustedIds } from '../untrusted.ts';

export const searchSite = readTool({
  name: 'search_site',
  title: 'Search a site',
  description:
    'Full-text search with snippets, best first; "…" is a phrase, or and - work as on the web. Hits in imported text are under untrusted.',
  scopes: ['content:read'],
  toolsets: ['core', 'editorial'],
  input: Input({
    site: Site,
    query: Type.String({ minLength: 1, maxLength: 500, description: 'Words.' }),
    mode: Type.Optional(Choice(['text', 'semantic', 'hybrid'], 'text when absent, and where there is no other index.')),
    kinds: Type.Optional(
      Type.Array(Choice(['page', 'entry'], 'A kind.'), { maxItems: 2, description: 'Only these kinds of nodes.' }),
    ),
    locale: LocaleArg,
    view: Type.Optional(Choice(['draft', 'live'], 'Which state; draft when absent.')),
    cursor: Cursor,
    limit: Limit(50),
  }),
  output: Type.Object({ hits: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ site: _, query: text, mode = 'text', view: track = 'draft', ...asked }, view) {
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

function withoutText({ id, kind, path, locale }: Hit) {
  return { id, kind, ...(path !== undefined && { path }), ...(locale !== undefined && { locale }) };
}
