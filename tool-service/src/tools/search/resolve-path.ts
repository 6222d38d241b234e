import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { getNode } from '../../content/find-node.ts';
import { followRedirects, redirectAt } from '../../content/follow-redirects.ts';
import { placeOf } from '../../content/site-paths.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { GraphNode, Track } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { Choice, LocaleArg, Site } from '../arguments.ts';
import { redirectData } from '../redirects/redirect-data.ts';
import { pathAsked } from './path-asked.ts';

export const resolvePath = readTool({
  name: 'resolve_path',
  title: 'Resolve a path',
  description: 'What a path or address of the site leads to, on the draft or on the live site, also by redirects.',
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
    const path = pathAsked(asked, (await view.head()).slug);
    const { node, via } = await reached(view, path, track, locale);
    const { id, kind, rev } = node;
    const where = {
      ...(node.path !== undefined && { path: node.path }),
      ...(node.locale !== undefined && { locale: node.locale }),
    };
    return {
      data: {
        id,
        kind,
        ...where,
        rev,
        status: await view.status(node),
        ...(via.length > 0 && { via: via.map(redirectData) }),
      },
    };
  },
});

/** The node at the end of the way; the last redirect itself where that leads away from the site, is gone, or never ends. */
async function reached(view: View, asked: string, track: Track, locale: string | undefined) {
  const head = await view.head();
  const at = async (address: string): Promise<GraphNode | undefined> => {
    const place = locale === undefined ? placeOf(address, head) : { path: address, locale };
    if (place.path === '/') return getNode(view, '/', { track });
    return view.atPath(place.path, { track, ...(place.locale !== undefined && { locale: place.locale }) });
  };
  const first = await at(asked);
  if (first && first.kind !== 'redirect') return { node: first, via: [] };
  const via: GraphNode<'redirect'>[] = [];
  const { end, path } = await followRedirects(asked.normalize('NFC'), async (address) => {
    const redirect = await redirectAt(view, address, { track });
    if (redirect) via.push(redirect);
    return redirect?.body;
  });
  const last = via.at(-1);
  const node = end === 'here' ? await at(path!) : last;
  if (!node) throw fail('not_found', { what: 'node', id: asked });
  return { node, via };
}
