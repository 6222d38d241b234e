import { CloudhalError } from '@cloudhal/shared/errors';
import type { ContentTypeBody } from '@cloudhal/shared/site/shapes';
import { createEntry } from '../../content/entries.ts';
import { mapFrontMatter } from '../../content/front-matter.ts';
import { importedNames } from '../../content/imported-names.ts';
import { slugFrom } from '../../content/slug.ts';
import type { Draft } from '../../graph/draft.ts';

type Document = { slug: string; frontmatter: Record<string, unknown>; body?: string };

type Reported = {
  index: number;
  slug: string;
  status: 'created' | 'skipped' | 'failed';
  /** Of the new entry, or of the one that was there. */
  id?: string;
  warnings?: string[];
  problem?: string;
};

type Options = { type: ContentTypeBody; locale: string; onExisting: 'skip' | 'fail' };
type Made = Omit<Reported, 'index' | 'warnings'>;

/** Makes a draft of each document and says for each what became of it. */
export async function importDocuments(
  draft: Draft,
  documents: readonly Document[],
  options: Options,
): Promise<Reported[]> {
  const report: Reported[] = [];
  const slugs = new Set<string>();
  for (const [index, document] of documents.entries()) {
    const warnings: string[] = [];
    const made = await importOne(draft, document, options, slugs, warnings);
    report.push({ index, ...made, ...(warnings.length > 0 && { warnings }) });
  }
  return report;
}

async function importOne(
  draft: Draft,
  { slug: given, frontmatter, body }: Document,
  { type, locale, onExisting }: Options,
  slugs: Set<string>,
  warnings: string[],
): Promise<Made> {
  try {
    const slug = cleanSlug(given, warnings);
    if (slugs.has(slug)) return { slug, status: 'failed', problem: `"${slug}" occurs twice in this import.` };
    slugs.add(slug);
    const there = await existing(draft, `${type.pathPrefix}/${slug}`, locale);
    if (there !== undefined && onExisting === 'skip') return { slug, status: 'skipped', id: there };
    if (there !== undefined) return { slug, status: 'failed', id: there, problem: `${there} has this address.` };
    const { rest, warnings: unknown, ...names } = await importedNames(draft, type, frontmatter);
    const { fields, warnings: unmapped } = mapFrontMatter(type, rest);
    warnings.push(...unknown, ...unmapped);
    const text = body !== undefined && { body };
    const entry = { type: type.name, slug, locale, fields, untrusted: true, ...names, ...text };
    return { slug, status: 'created', id: (await createEntry(draft, entry)).id };
  } catch (error) {
    if (!(error instanceof CloudhalError)) throw error;
    return { slug: given, status: 'failed', problem: error.body.message };
  }
}

async function existing(draft: Draft, path: string, locale: string): Promise<string | undefined> {
  const node = await draft.atPath(path, { locale });
  return node?.locale === locale ? node.id : undefined;
}

/** File names become slugs: without folders and extension, and with what a slug cannot have taken out. */
function cleanSlug(given: string, warnings: string[]): string {
  const name = given.replace(/^.*[\\/]/s, '').replace(/\.(?:md|mdx|markdown|json)$/i, '');
  const slug = slugFrom(name);
  if (slug !== given) warnings.push(`The slug was made from ${JSON.stringify(given)}.`);
  return slug;
}
