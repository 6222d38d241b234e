import { fail } from '@cloudhal/shared/errors';
import type { PageBody, Section } from '@cloudhal/shared/site/shapes';
import { keepEmbargo } from '../embargoes/embargoes.ts';
import type { Draft } from '../graph/draft.ts';
import type { At, Condition, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { siteLocale } from './entries.ts';
import { changePage, type PageChange } from './page-change.ts';
import { type NewSection, newSections } from './sections.ts';
import { checkSlug, checkTopSlug, slugFrom } from './slug.ts';

type Seo = NonNullable<PageBody['seo']>;

type NewPage = {
  title: string;
  /** The whole address; the parent follows from it. Instead of `slug` and `parent`. */
  path?: string;
  slug?: string;
  parent?: string;
  locale?: string;
  /** A page whose sections are copied; instead of `sections`. */
  template?: string;
  sections?: NewSection[];
  seo?: Seo;
};

export const maxDepth = 10;

/** A new draft page, checked. */
export async function createPage(draft: Draft, page: NewPage): Promise<GraphNode<'page'>> {
  if (page.template !== undefined && page.sections) {
    throw fail('validation_failed', { path: 'template', expected: 'either a template or sections' });
  }
  const { parent, slug } = await placeOf(draft, page);
  const locale = await siteLocale(draft, page.locale ?? parent?.body.locale);
  if (parent && parent.body.locale !== locale) {
    throw fail('validation_failed', { path: 'locale', expected: `the parent's locale, ${parent.body.locale}` });
  }
  const template = page.template === undefined ? undefined : await getPage(draft, page.template);
  const sections = template ? template.body.sections : page.sections;
  const node = await draft.create('page', {
    title: page.title,
    slug,
    ...(parent && { parent: parent.id }),
    path: pagePath(parent, slug),
    locale,
    sections: newSections(sections ?? []),
    ...(page.seo && { seo: page.seo }),
  });
  if (template) keepEmbargo(draft, template, node);
  return node;
}

/** Merges a change into a page; what the change does not name stays as it is. */
export async function savePage(draft: Draft, ref: string, rev: number, change: PageChange): Promise<GraphNode<'page'>> {
  const { id } = await getPage(draft, ref);
  return draft.save('page', id, rev, (page) => changePage(page, change));
}

/** Replaces a page's sections by what `change` makes of them. */
export async function saveSections(
  draft: Draft,
  ref: string,
  rev: number,
  change: (sections: Section[]) => Section[],
): Promise<GraphNode<'page'>> {
  const { id } = await getPage(draft, ref);
  return draft.save('page', id, rev, (page) => ({ ...page, sections: change(page.sections) }));
}

/** A page by id or path; `/` is the home page. */
export async function getPage(view: View, ref: string, at?: At): Promise<GraphNode<'page'>> {
  if (ref !== '/') return view.get('page', ref.length > 1 ? ref.replace(/\/+$/, '') : ref, at);
  const { homePage } = (await view.get('site', view.siteId, at)).body;
  if (homePage === undefined) throw fail('not_found', { what: 'page', id: '/' });
  return view.get('page', homePage, at);
}

/** The page that others go under; `/` is the top of the site. */
export async function getParent(view: View, ref: string | undefined): Promise<GraphNode<'page'> | undefined> {
  return ref === undefined || ref === '/' ? undefined : getPage(view, ref);
}

export function pagePath(parent: GraphNode<'page'> | undefined, slug: string): string {
  return checkDepth(`${parent?.body.path ?? ''}/${slug}`);
}

export function checkDepth(path: string): string {
  if (levelsOf(path) > maxDepth) throw fail('limit_exceeded', { what: 'The depth of the page', max: maxDepth });
  return path;
}

/** 1 for a page at the top of the site; 0 for the site itself. */
export function levelsOf(path: string): number {
  return path.split('/').length - 1;
}

/** Pages below a path: from its slash up to the character after the slash. */
export function below(path: string): Condition[] {
  return [
    { member: 'path', is: 'gt', value: `${path}/` },
    { member: 'path', is: 'lt', value: `${path}0` },
  ];
}

/** A page's slug; at the top of the site some words are taken, and those that other locales live under. */
export async function pageSlug(
  draft: Draft,
  slug: string,
  parent: GraphNode<'page'> | undefined,
  path = 'slug',
): Promise<string> {
  if (parent) return checkSlug(slug, path);
  const { locales } = await draft.head();
  if (locales.some((locale) => locale.toLowerCase() === slug)) {
    throw fail('validation_failed', { path, expected: `another word: "${slug}" is where a locale of the site lives` });
  }
  return checkTopSlug(slug, path);
}

async function placeOf(draft: Draft, page: NewPage): Promise<{ parent?: GraphNode<'page'>; slug: string }> {
  if (page.path === undefined) {
    const parent = await getParent(draft, page.parent);
    const slug = await pageSlug(draft, page.slug ?? slugFrom(page.title), parent);
    return { ...(parent && { parent }), slug };
  }
  if (page.slug !== undefined || page.parent !== undefined) {
    throw fail('validation_failed', { path: 'path', expected: 'either a path, or a slug and a parent' });
  }
  const names = page.path.split('/');
  if (names[0] !== '' || names.length < 2) {
    throw fail('validation_failed', { path: 'path', expected: 'a path that begins with a slash, such as /about/team' });
  }
  const slug = names.pop()!;
  const above = names.join('/');
  if (above === '') return { slug: await pageSlug(draft, slug, undefined, 'path') };
  const at = page.locale === undefined ? {} : { locale: page.locale };
  const parent = await draft.find('page', above, at);
  if (!parent) throw fail('not_found', { what: 'parent page', id: above });
  return { parent, slug: await pageSlug(draft, slug, parent, 'path') };
}
