import type { PageBody } from '@cloudhal/shared/site/shapes';
import { breadcrumbs } from './breadcrumbs.ts';
import { contextOf, type EntryCard, type NavItem, type PreviewView, type SiteFrame } from './context.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { renderSection } from './sections/index.ts';

export type PageInput = SiteFrame & {
  page: PageBody;
  /** Where it is served; the page's own path when absent, `/` for the home page. */
  path?: string;
  /** The pages above it. */
  trail?: readonly NavItem[];
  /** Cards of the types that its `entries` sections list, newest first. */
  entriesByType?: Record<string, readonly EntryCard[]>;
  view?: PreviewView;
};

/** A page of the site: its sections in order. A hero that opens it brings the main heading, else the page's title does. */
export function renderPage({
  page,
  path = page.path,
  trail = [],
  entriesByType = {},
  view,
  ...frame
}: PageInput): string {
  const { locale } = page;
  const { site } = frame;
  const context = contextOf(frame, { path, locale, preview: view !== undefined });
  const opensWithHero = page.sections[0]?.type === 'hero';
  return layout({
    context,
    view,
    title: page.seo?.title ?? page.title,
    description: page.seo?.description ?? site.seo?.description ?? site.tagline,
    noindex: page.seo?.noindex ?? site.seo?.noindex,
    canonical: path,
    image: imageOf(page),
    main: html`${breadcrumbs(context, trail)}
${!opensWithHero && html`<header class="entry-header"><h1>${page.title}</h1></header>`}
${page.sections.map(
  (section, index) => html`${renderSection(section, { ...context, first: opensWithHero && index === 0, entriesByType })}
`,
)}`,
  });
}

/** What stands for the page where somebody shares it: the first image that it shows by itself. */
function imageOf({ sections }: PageBody): string | undefined {
  const [first] = sections.flatMap(({ type, props }) =>
    type === 'hero' ? (props.image ?? []) : type === 'image' ? (props.asset ?? []) : [],
  );
  return typeof first === 'string' ? first : undefined;
}

/** The types that a page lists, and how many entries of each: what `entriesByType` needs. */
export function listedTypes(page: Pick<PageBody, 'sections'>): { type: string; limit: number }[] {
  const most = new Map<string, number>();
  for (const { type, props } of page.sections) {
    if (type !== 'entries' || typeof props.type !== 'string') continue;
    const limit = typeof props.limit === 'number' ? props.limit : 10;
    most.set(props.type, Math.max(limit, most.get(props.type) ?? 0));
  }
  return [...most].map(([type, limit]) => ({ type, limit }));
}
