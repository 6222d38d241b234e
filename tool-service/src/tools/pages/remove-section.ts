import { saveSections } from '../../content/pages.ts';
import { sectionAt } from '../../content/sections.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Note, PageRef, Rev, SectionRef, Site } from '../arguments.ts';
import { PageHeadData, pageHead } from './page-data.ts';

export const removeSection = writeTool({
  name: 'remove_section',
  title: 'Remove a section',
  description: 'Takes one section out of the draft of a page; restore_node brings an earlier state back.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: true, idempotent: true },
  input: Input({ site: Site, page: PageRef, rev: Rev('get_page'), section: SectionRef, note: Note }),
  output: PageHeadData,
  async run({ page, rev, section: id }, draft) {
    const node = await saveSections(draft, page, rev, (sections) => {
      const gone = sectionAt(sections, id);
      return sections.filter((section) => section !== gone);
    });
    return { data: pageHead(node), rev: node.rev };
  },
});
