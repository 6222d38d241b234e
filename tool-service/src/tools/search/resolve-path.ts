import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { getNode } from '../../content/find-node.ts';
import { Input, readTool } from '../../define-tool.ts';
import { Choice, LocaleArg, Site } from '../arguments.ts';

export const resolvePath = readTool({
  name: 'resolve_path',
  title: 'Resolve a path',
  description: 'What a path or address of the site leads to, on the draft or on the live site.',
  scopes: ['content:read'],
  toolsets: ['editorial'],
  input: Input({
    site: Site,
    path: Type.String({ minLength: 1, maxLength: 2048, description: 'A path such as /about, or a whole URL.' }),
    view: Type.Optional(Choice(['draft', 'live'], 'Which state; live when absent.')),
    locale: LocaleArg,
  }),
  output: Type.Object({
    id: Type.String(),
    kind: Type.String(),
    path: Type.Optional(Type.String()),
    rev: Type.Integer(),
  }),
  async run({ path: asked, view: track = 'live', locale }, view) {
    const path = pathOf(asked, (await view.head()).slug);
    const node = await getNode(view, path, { track, ...(locale !== undefined && { locale }) });
    const { id, kind, rev } = node;
    const where = {
      ...(node.path !== undefined && { path: node.path }),
      ...(node.locale !== undefined && { locale: node.locale }),
    };
    return { data: { id, kind, ...where, rev, status: await view.status(node) } };
  },
});

/** The path on the site: without host, query and the folder that the gateway serves the site in. */
function pathOf(asked: string, slug: string): string {
  const url = URL.canParse(asked, 'https://site.invalid') ? new URL(asked, 'https://site.invalid') : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw fail('validation_failed', { path: 'path', expected: 'a path that begins with a slash, or an http(s) URL' });
  }
  const path = url.pathname.replace(new RegExp(`^/sites/${slug}(?=/|$)`), '').replace(/\/+$/, '');
  return path === '' ? '/' : path;
}
