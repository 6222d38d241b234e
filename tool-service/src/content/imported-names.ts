import { cut } from '@cloudhal/shared/cut';
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
  const terms = new Map<string, Set<string>>();
  for (const [key, value] of Object.entries(frontMatter)) {
    const own = usable.find(({ name }) => name === key);
    if (Object.hasOwn(fields, key) || !(own || people.includes(key) || words.includes(key))) {
      rest[key] = value;
      continue;
    }
    const names = namesIn(value);
    if (people.includes(key)) {
      for (const name of names) {
        const id = await personId(view, name);
        if (id === undefined) warnings.push(`"${name}" has no record as a person here; propose_person makes one.`);
        else bylines.add(id);
      }
      continue;
    }
    const found = await findTerms(view, own ? [own.name] : usable.map((taxonomy) => taxonomy.name), names);
    for (const name of names) {
      const term = found.get(name);
      if (term === undefined) warnings.push(`"${name}" is no term here; propose_term makes one.`);
      else terms.set(term.taxonomy, new Set([...(terms.get(term.taxonomy) ?? []), term.slug]));
    }
  }
  return {
    ...(bylines.size > 0 && { bylines: [...bylines] }),
    ...(terms.size > 0 && { terms: Object.fromEntries([...terms].map(([name, slugs]) => [name, [...slugs]])) }),
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
    .map((one) => cut(one.trim(), 300))
    .filter((one) => one !== '')
    .slice(0, mostNames);
}

async function personId(view: View, name: string): Promise<string | undefined> {
  const slug = slugOf(name);
  return (slug === undefined ? undefined : await view.find('person', slug))?.id;
}

/** By slug, label or synonym, in the first of the taxonomies that has one; each taxonomy is asked once. */
async function findTerms(view: View, taxonomies: readonly string[], names: readonly string[]) {
  const spellings = (name: string) => [name, slugOf(name) ?? name];
  const found = new Map<string, { taxonomy: string; slug: string }>();
  for (const taxonomy of taxonomies) {
    const left = names.filter((name) => !found.has(name));
    if (left.length === 0) break;
    const terms = await termsNamed(view, taxonomy, [...new Set(left.flatMap(spellings))]);
    for (const name of left) {
      const slug = spellings(name)
        .map((spelling) => terms.get(spelling))
        .find((one) => one !== undefined);
      if (slug !== undefined) found.set(name, { taxonomy, slug });
    }
  }
  return found;
}

function slugOf(name: string): string | undefined {
  try {
    return slugFrom(name);
  } catch {
    return undefined;
  }
}
