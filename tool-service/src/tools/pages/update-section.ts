import { Type } from 'typebox';
import { saveSections } from '../../content/pages.ts';
import { mergeProps, sectionAt } from '../../content/sections.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Members, Note, PageRef, Rev, SectionRef, Site, UnsetFields } from '../arguments.ts';
import { ChangedSection, changedSection } from './page-data.ts';

export const updateSection = writeTool({
  name: 'update_section',
  title: 'Update a section',
  description: "Merges props into one section of a page; its other props and the page's other sections stay.",
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    page: PageRef,
    rev: Rev('get_page'),
    section: SectionRef,
    set: Type.Optional(Members('Props to set; all others stay as they are.')),
    unset: UnsetFields,
    note: Note,
  }),
  output: ChangedSection,
  async run({ page, rev, section: id, set = {}, unset = [] }, draft) {
    const node = await saveSections(draft, page, rev, (sections) => {
      const changed = mergeProps(sectionAt(sections, id), set, unset);
      return sections.map((section) => (section.id === id ? changed : section));
    });
    return { data: changedSection(node, id), rev: node.rev };
  },
});
