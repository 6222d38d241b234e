import type { ContentTypeBody } from '@cloudhal/shared/site/shapes';
import type { View } from '../graph/view.ts';
import { slugFrom } from './slug.ts';
import { termsNamed } from './taxonomies.ts';

const people = ['author', 'authors', 'byline', 'bylines'];
const words = ['tag', 'tags', 'category', 'categories', 'topic', 'topics', 'keywords'];
const mostNames = 50;

type Names = {
  bylines?: string[];
  terms?: Record<string, string[]>;
  /** What is left for the fields of the type. */
  rest: Record<string, unknown>;
  warnings: string[];
};

/**
 * The people and terms of the site that a document's front matter names, by slug, name or label. Who and what is not there yet is
 * said: a person's record and a new word are decisions of their own.
 */
export async function importedNames(
  view: View,
  type: ContentTypeBody,
  frontMatter: Record<string, unknown>,
): Promise<Names> {
  const fields = (type.fields as { properties?: object }).properties ?? {};
  const { items: taxonomies } = await view.list({ kind: 'taxonomy', limit: 100 });
  const usable = taxonomies.map(({ body }) => body).filter(({ types }) => !types || types.includes(type.name));
  const rest: Record<string, unknown> = {};
  const warnings: string[] = [];
  const bylines = new Set<string>();
  const terms: Record<string, string[]> = {};
  for (const [key, value] of Object.entries(frontMatter)) {
    const own = usable.find(({ name }) => name === key);
    if (Object.hasOwn(fields, key) || !(own || people.includes(key) || words.includes(key))) {
      rest[key] = value;
      continue;
    }
    for (const name of namesIn(value)) {
      if (people.includes(key)) {
        const id = await personId(view, name);
        if (id === undefined) warnings.push(`"${name}" has no record as a person here; propose_person makes one.`);
        else bylines.add(id);
        continue;
      }
      const term = await findTerm(view, own ? [own.name] : usable.map((taxonomy) => taxonomy.name), name);
      if (term === undefined) warnings.push(`"${name}" is no term here; propose_term makes one.`);
      else terms[term.taxonomy] = [...new Set([...(terms[term.taxonomy] ?? []), term.slug])];
    }
  }
  return {
    ...(bylines.size > 0 && { bylines: [...bylines] }),
    ...(Object.keys(terms).length > 0 && { terms }),
    rest,
    warnings,
  };
}

/** A name, several separated by commas, a list of them, or of objects that have a name. */
function namesIn(value: unknown): string[] {
  const given = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  return given
    .map((one) => (typeof one === 'object' && one !== null ? (one as { name?: unknown }).name : one))
    .filter((one) => typeof one === 'string')
    .map((one) => one.trim().slice(0, 300))
    .filter((one) => one !== '')
    .slice(0, mostNames);
}

async function personId(view: View, name: string): Promise<string | undefined> {
  const slug = slugOf(name);
  return (slug === undefined ? undefined : await view.find('person', slug))?.id;
}

/** By slug, label or synonym. */
async function findTerm(view: View, taxonomies: readonly string[], name: string) {
  const names = [...new Set([name, slugOf(name) ?? name])];
  for (const taxonomy of taxonomies) {
    const [slug] = (await termsNamed(view, taxonomy, names)).values();
    if (slug !== undefined) return { taxonomy, slug };
  }
  return undefined;
}

function slugOf(name: string): string | undefined {
  try {
    return slugFrom(name);
  } catch {
    return undefined;
  }
}
