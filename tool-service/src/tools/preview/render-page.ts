import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { checks, type Finding } from '../../browser/findings.ts';
import { getNode } from '../../content/find-node.ts';
import { Input, viewTool } from '../../define-tool.ts';
import { pageImages } from '../../site/page-images.ts';
import { renderNode } from '../../site/site-page.ts';
import { Choice, NodeRef, Site, SnapshotOfView, stateAsked, ViewArg } from '../arguments.ts';
import { isImported } from '../untrusted.ts';
import { deadLinks } from './dead-links.ts';

export const renderPage = viewTool({
  name: 'render_page',
  title: 'Render and check a page',
  description:
    'Shows one page or entry in a browser, at the width of a phone and of a desktop, and says what is wrong with it and how to fix it. Links to other sites are not followed.',
  scopes: ['content:read', 'checks:run'],
  toolsets: ['editorial', 'design'],
  pool: 'render',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: Input({
    site: Site,
    node: NodeRef,
    view: ViewArg,
    snapshot: SnapshotOfView,
    viewport: Type.Optional(Choice(['mobile', 'desktop'], 'Only this width; both when absent.')),
    checks: Type.Optional(
      Type.Array(Choice(checks, 'A check.'), { minItems: 1, maxItems: checks.length, description: 'All when absent.' }),
    ),
    screenshot: Type.Optional(
      Type.Boolean({ description: 'Also a picture, at the width of a phone unless viewport says desktop.' }),
    ),
  }),
  output: Type.Object({
    node: Type.String(),
    rev: Type.Integer(),
    findings: Type.Array(
      Type.Object({
        check: Type.String(),
        severity: Type.String(),
        message: Type.String(),
        selector: Type.String(),
        viewport: Type.String(),
        fix: Type.String(),
      }),
    ),
  }),
  async run({ node: ref, viewport, checks: asked = [...checks], screenshot = false, ...state }, view, call) {
    const at = stateAsked(state);
    const node = await getNode(view, ref, at);
    const page = await renderNode(view, node, at);
    if (!page) throw fail('validation_failed', { path: 'node', expected: 'a page or an entry' });
    const { links, ...inspected } = await call.can.inspect({
      ...page,
      resource: pageImages(view, at, call.can.media.read),
      viewports: viewport ? [viewport] : ['mobile', 'desktop'],
      checks: asked,
      screenshot,
    });
    const dead = asked.includes('links') ? await deadLinks(view, page.path, links, at) : [];
    const shown: Finding['viewport'] = viewport ?? 'both';
    const findings = [...inspected.findings, ...dead.map((finding) => ({ ...finding, viewport: shown }))];
    const { id, rev } = node;
    const image = inspected.screenshot?.toString('base64');
    return {
      // What a stranger wrote names its headings, and with them the selectors.
      data: isImported(node)
        ? { node: id, rev, findings: [], untrusted: [{ source: 'import', id, findings }] }
        : { node: id, rev, findings },
      ...(isImported(node) && { warnings: ['It was imported, and no person has looked at it yet.'] }),
      ...(image !== undefined && { images: [{ mimeType: 'image/webp' as const, base64: image }] }),
      next: [findings.length === 0 ? 'Nothing was found.' : 'Fix what was found, and render it again.'],
    };
  },
});
