import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { getNode } from '../../content/find-node.ts';
import { Input, viewTool } from '../../define-tool.ts';
import { releasedVersion } from '../../releases/plan-release.ts';
import { NodeRef, Site, SnapshotOfView, stateAsked, ViewArg } from '../arguments.ts';

export const previewPage = viewTool({
  name: 'preview_page',
  title: 'Preview a page',
  description:
    'A private link to one page or entry as it would look. Whoever has the link sees that and nothing else, until it expires.',
  scopes: ['content:read', 'preview'],
  toolsets: ['core', 'editorial', 'release'],
  hints: { readOnly: false, destructive: false, idempotent: true },
  input: Input({
    site: Site,
    node: NodeRef,
    view: ViewArg,
    snapshot: SnapshotOfView,
    release: Type.Optional(
      Type.String({ maxLength: 64, description: 'As this release would put it live; instead of view.' }),
    ),
    ttlMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, description: '60 when absent.' })),
  }),
  output: Type.Object({ url: Type.String(), expiresAt: Type.String(), node: Type.String(), rev: Type.Integer() }),
  async run({ node: ref, ttlMinutes = 60, release, ...asked }, view, call) {
    if (release !== undefined && asked.view !== undefined) {
      throw fail('validation_failed', { path: 'view', expected: 'either a view or a release' });
    }
    const at = stateAsked(asked);
    const found = await getNode(view, ref, at);
    const { id, rev, kind } = release === undefined ? found : await releasedVersion(view, release, found.id);
    if (!['page', 'entry', 'term', 'taxonomy', 'design', 'chrome'].includes(kind)) {
      throw fail('validation_failed', {
        path: 'node',
        expected: 'a page, an entry, a term, or the design or chrome of the site',
      });
    }
    const { track = 'draft', snapshot } = at;
    const grant = {
      site: view.siteId,
      node: id,
      track,
      ...(snapshot !== undefined && { snapshot }),
      ...(release !== undefined && { release }),
    };
    const link = await call.can.previews.mint(grant, ttlMinutes);
    return { data: { ...link, node: id, rev }, next: ['Give the link to the person who asked.'] };
  },
});
