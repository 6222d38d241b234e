import { saveSections } from '../../content/pages.ts';
import { insertSection, sectionAt } from '../../content/sections.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Note, PageRef, PositionArg, Rev, SectionRef, Site } from '../arguments.ts';
import { ChangedSection, changedSection } from './page-data.ts';

export const moveSection = writeTool({
  name: 'move_section',
  title: 'Move a section',
  description: 'Puts one section of a page elsewhere in it.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    page: PageRef,
    rev: Rev('get_page'),
    section: SectionRef,
    position: PositionArg,
    note: Note,
  }),
  output: ChangedSection,
  async run({ page, rev, section: id, position }, draft) {
    const node = await saveSections(draft, page, rev, (sections) => {
      const section = sectionAt(sections, id);
      // Beside itself is where it is.
      if (position.after === id || position.before === id) return sections;
      return insertSection(
        sections.filter((other) => other.id !== id),
        section,
        position,
      );
    });
    return { data: changedSection(node, id), rev: node.rev };
  },
});
