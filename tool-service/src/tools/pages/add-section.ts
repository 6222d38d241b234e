import { Type } from 'typebox';
import { saveSections } from '../../content/pages.ts';
import { insertSection, newSection } from '../../content/sections.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Note, PageRef, PositionArg, RequestId, Rev, SectionProps, SectionTypeArg, Site } from '../arguments.ts';
import { ChangedSection, changedSection } from './page-data.ts';

export const addSection = writeTool({
  name: 'add_section',
  title: 'Add a section',
  description: 'Puts one new section into a page. get_content_type says which props its type has.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: false },
  input: Input({
    site: Site,
    page: PageRef,
    rev: Rev('get_page'),
    type: SectionTypeArg,
    props: SectionProps,
    position: Type.Optional(PositionArg),
    requestId: RequestId,
    note: Note,
  }),
  output: ChangedSection,
  async run({ page, rev, type, props, position = {} }, draft) {
    const section = newSection({ type, props }, '');
    const node = await saveSections(draft, page, rev, (sections) => insertSection(sections, section, position));
    return { data: changedSection(node, section.id), rev: node.rev };
  },
});
