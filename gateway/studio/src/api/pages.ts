import { queryOptions } from '@tanstack/react-query';
import type { EntryChange, FieldSchema, Status } from './content.ts';
import { callTool } from './tools.ts';

export type Section = { id: string; type: string; props: Record<string, unknown> };
export type Seo = { title?: string; description?: string; noindex?: boolean };
export type SitePage = {
  id: string;
  path: string;
  title: string;
  locale: string;
  /** The id of the page above. */
  parent?: string;
  rev: number;
  status: Status;
  embargo?: string;
  seo?: Seo;
  sections: Section[];
};
type ReadSection = Omit<Section, 'props'> & { props?: Section['props'] };
type ReadPage = Omit<SitePage, 'sections'> & { sections: ReadSection[] };

export const pageQuery = (site: string, page: string) =>
  queryOptions({
    queryKey: ['sites', site, 'page', page],
    queryFn: (): Promise<SitePage> => readPage(site, page),
  });

/** A whole page. Long ones come in several answers, which have to be of one rev. */
async function readPage(site: string, page: string): Promise<SitePage> {
  const ask = async (only?: string[]) =>
    (await callTool<ReadPage>('get_page', { site, page, maxTokens: 50_000, ...(only && { sections: only }) })).data;
  const head = await ask();
  const props = new Map<string, Section['props']>();
  const isMissing = ({ id }: ReadSection) => !props.has(id);
  const keep = (sections: ReadSection[]) => {
    for (const section of sections) if (section.props) props.set(section.id, section.props);
  };
  keep(head.sections);
  while (head.sections.some(isMissing)) {
    const more = await ask(head.sections.filter(isMissing).map(({ id }) => id));
    if (more.rev !== head.rev) return readPage(site, page);
    keep(more.sections);
  }
  return { ...head, sections: head.sections.map(({ id, type }) => ({ id, type, props: props.get(id) ?? {} })) };
}

export type SectionTypeBrief = { name: string; title: string; description: string };
export type SectionType = SectionTypeBrief & {
  schema: { properties: Record<string, FieldSchema>; required?: string[] };
};

// The types of sections come with the version of the deployment, so they are read once.
export const sectionTypesQuery = (site: string) =>
  queryOptions({
    queryKey: ['section-types', site],
    queryFn: async () =>
      (await callTool<{ sectionTypes: SectionTypeBrief[] }>('list_content_types', { site })).data.sectionTypes,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const sectionTypeQuery = (site: string, type: string) =>
  queryOptions({
    queryKey: ['section-types', site, type],
    queryFn: async () => (await callTool<SectionType>('get_content_type', { site, type, kind: 'section' })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

type Saved = { rev: number };
export type Position = { after?: string; before?: string; index?: number };
/** The page that is changed, at the rev that was read; another rev is `rev_conflict`, and nothing is done. */
type At = { site: string; page: string; rev: number };

export const addSection = (
  at: At,
  section: Omit<Section, 'id'> & { position: Position },
  { requestId }: { requestId: string },
) => callTool<Saved>('add_section', { ...at, ...section, requestId }, { requestId });

export const saveSection = (at: At, section: string, { set, unset }: EntryChange) =>
  callTool<Saved>('update_section', { ...at, section, ...(set && { set }), ...(unset && { unset }) });

export const moveSection = (at: At, section: string, position: Position) =>
  callTool<Saved>('move_section', { ...at, section, position });

export const removeSection = (at: At, section: string) => callTool<Saved>('remove_section', { ...at, section });

/** What a person writes of a page itself, with the names that `update_page` has for them. */
export const pageFields = ({ title, seo = {} }: SitePage): Record<string, unknown> => ({
  title,
  ...Object.fromEntries(Object.entries(seo).map(([name, value]) => [`seo.${name}`, value])),
});

export function savePage(at: At, { set = {}, unset }: EntryChange) {
  const { title, ...others } = set;
  const seo = Object.fromEntries(Object.entries(others).map(([name, value]) => [name.replace('seo.', ''), value]));
  const asked = { ...(title !== undefined && { title }), ...(Object.keys(seo).length > 0 && { seo }) };
  return callTool<Saved>('update_page', { ...at, set: asked, ...(unset && { unset }) });
}

/** `/` is the top of the site. */
export type NewPage = { title: string; parent: string; slug: string };

export const createPage = (site: string, { parent, ...page }: NewPage, requestId: string) =>
  callTool<{ id: string }>(
    'create_page',
    { site, ...page, ...(parent !== '/' && { parent }), requestId },
    { requestId },
  );

export const movePage = (at: At, to: { parent: string; slug: string }) =>
  callTool<Saved>('move_page', { ...at, ...to });
