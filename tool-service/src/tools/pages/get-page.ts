import { Type } from 'typebox';
import { getPage as find } from '../../content/pages.ts';
import { sectionAt, sectionProblems } from '../../content/sections.ts';
import { getInLocale } from '../../content/translations.ts';
import { Input, readTool } from '../../define-tool.ts';
import { embargoOf } from '../../embargoes/embargoes.ts';
import type { GraphNode } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { Choice, LocaleArg, MaxTokens, PageRef, Site, SnapshotOfView, stateAsked, ViewArg } from '../arguments.ts';
import { PageData, pageHead, shownSections } from './page-data.ts';

const members = ['sections', 'seo', 'live'] as const;

export const getPage = readTool({
  name: 'get_page',
  title: 'Read a page',
  description: 'One page with its sections in order, its rev and where it stands. Send that rev with your change.',
  scopes: ['content:read'],
  toolsets: ['core', 'editorial'],
  input: Input({
    site: Site,
    page: PageRef,
    view: ViewArg,
    snapshot: SnapshotOfView,
    locale: LocaleArg,
    fields: Type.Optional(
      Type.Array(Choice(members, 'A member.'), { maxItems: 3, description: 'Only these members; all when absent.' }),
    ),
    sections: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200, description: 'Only these sections, by id.' }),
    ),
    maxTokens: MaxTokens,
  }),
  output: PageData,
  async run({ page, fields = [...members], sections: only, maxTokens, ...asked }, view, call) {
    const at = stateAsked(asked);
    const node =
      at.locale === undefined
        ? await find(view, page, at)
        : await getInLocale(view, 'page', page === '/' ? (await find(view, page)).id : page, at.locale, at);
    const chosen = only ? only.map((id) => sectionAt(node.body.sections, id)) : node.body.sections;
    const { sections, truncated } = shownSections(chosen, maxTokens);
    const warnings = sectionProblems(chosen);
    const embargo = await embargoOf(view, node, call.now());
    const shown = {
      sections,
      ...(node.body.seo && { seo: node.body.seo }),
      ...(node.body.translation && { translation: node.body.translation }),
      live: await liveState(view, node),
    };
    const wanted = Object.entries(shown).filter(([name]) => fields.some((field) => field === name));
    return {
      data: { ...pageHead(node), status: await view.status(node), ...embargo, ...Object.fromEntries(wanted) },
      ...(warnings.length > 0 && { warnings }),
      ...(truncated && { truncated, next: ['Read the sections without props with the argument sections.'] }),
    };
  },
});

/** What readers see of the page. */
async function liveState(view: View, { id }: GraphNode<'page'>) {
  const [live] = await view.nodes([id], { track: 'live' });
  return live ? { rev: live.rev, ...(live.path !== undefined && { path: live.path }) } : null;
}
