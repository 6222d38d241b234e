import { useQuery } from '@tanstack/react-query';
import { type Section, type SitePage, saveSection, sectionTypeQuery } from '../../api/pages.ts';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Fields } from './field-group.tsx';
import { fieldsAlone } from './merge-entry.ts';
import { placeOf } from './section-props.tsx';
import { useWritten } from './use-written.ts';
import { WrittenForm } from './written-form.tsx';

type SectionEditorProps = { site: string; page: SitePage; section: Section };

/** The props of one section, to be changed side by side with agents. */
export function SectionEditor({ site, page, section }: SectionEditorProps) {
  const { data: type, error } = useQuery(sectionTypeQuery(site, section.type));
  const editing = useWritten({
    site,
    place: placeOf(site, section),
    newest: { rev: page.rev, ...fieldsAlone(section.props) },
    save: async (rev, change) => (await saveSection({ site, page: page.id, rev }, section.id, change)).data.rev,
  });
  if (error) return <Problem error={error} />;
  if (!type) return <Skeleton rows={2} />;
  return (
    <WrittenForm site={site} node={page.id} editing={editing}>
      <Fields schema={type.schema} value={editing.written.fields} onChange={(fields) => editing.write({ fields })} />
    </WrittenForm>
  );
}
